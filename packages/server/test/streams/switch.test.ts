import { describe, expect, test } from 'vitest';
import { chatOf, send } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { startStream } from './support/caller.ts';
import { houseYaml, openHouse } from './support/house.ts';

const paths = ['/v1/chat/stream', '/v1/objects/stream', '/v1/agents/stream'] as const;
const others = ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;

const house = openHouse('sqlite');

const vectorsToo = {
  yaml: `${houseYaml('sqlite:./gateway.db')}
  - { id: vectors, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
`,
};

describe('with `streaming: true`', () => {
  test.each(paths)('%s has only POST', async (path) => {
    const { stack } = house();
    const headers = { 'x-api-key': await stack.key('search') };
    for (const method of others) {
      const answer = await send(stack, path, { method, headers });
      expect([method, answer.status]).toEqual([method, 404]);
    }
    const answer = await send(stack, path, { method: 'POST', headers, body: 'no JSON' });
    expect(answer.status).toBe(400);
  });

  test.each([
    ['search', true],
    ['quiet', false],
  ] as const)('404 names the streams to %s: %s', async (app, isNamed) => {
    const { stack } = house();
    const headers = { 'x-api-key': await stack.key(app) };
    const { status, text } = await send(stack, '/v1/streams', { method: 'POST', headers });
    expect(status).toBe(404);
    for (const path of paths) expect(text.includes(`POST ${path}`)).toBe(isNamed);
  });

  test('an app may opt out: then it is 501 as usual, for every method', async () => {
    const { stack } = house();
    const headers = { 'x-api-key': await stack.key('quiet') };
    for (const path of paths) {
      for (const method of ['POST', ...others]) {
        const answer = await send(stack, path, { method, headers });
        expect([method, answer.status]).toEqual([method, 501]);
        if (method === 'HEAD') continue;
        const says = ['Streaming is off for this app', 'use /v1/', '`streaming: true`'];
        expectError(answer, { status: 501, code: 'NOT_IMPLEMENTED', says });
      }
    }
  });

  test('models show whether they stream, if the app may', async () => {
    const { stack } = house();
    const modelsOf = async (app: string) => {
      const headers = { 'x-api-key': await stack.key(app) };
      const answer = await send(stack, '/v1/models', { headers });
      return listed(Object(answer.body).models);
    };
    for (const { streaming } of await modelsOf('search')) expect(streaming).toBe(true);
    for (const model of await modelsOf('quiet')) expect(model).not.toHaveProperty('streaming');
  });

  test(
    'a model for vectors does not',
    onStack(async (stack) => {
      const headers = { 'x-api-key': await stack.key('search') };
      const answer = await send(stack, '/v1/models', { headers });
      const vectors = listed(Object(answer.body).models).find(({ id }) => id === 'vectors');
      expect(vectors).toMatchObject({ operations: ['embeddings'], streaming: false });
    }, vectorsToo),
  );

  test('a rejection before the first delta equals that of the other route', async () => {
    const { stack } = house();
    for (const body of [
      chatOf('sim-down'),
      chatOf('sim-denied'),
      chatOf('sim-rejects'),
      chatOf('sim-quota'),
      chatOf('sim-crash'),
      { ...chatOf('sim-echo'), maxTokens: 0 },
      { ...chatOf('sim-echo'), stream: true },
    ]) {
      const whole = await stack.post('search', '/v1/chat', body);
      const caller = await startStream(stack, 'search', body);
      await caller.untilEnd();
      expect(caller.status()).toBe(whole.status);
      const { error } = Object(await whole.json());
      expect(caller.body()).toMatchObject({ error: { code: error.code } });
      expect(caller.events).toEqual([]);
    }
  });
});

function listed(models: readonly { readonly id?: string; readonly streaming?: boolean }[]) {
  return models;
}
