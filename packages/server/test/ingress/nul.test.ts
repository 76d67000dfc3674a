import { describe, expect, test } from 'vitest';
import { routeRows as anthropic } from '../../src/ingress/dialects/anthropic/route-rows.ts';
import { routeRows as own } from '../../src/ingress/dialects/gateway/route-rows.ts';
import { routeRows as openAi } from '../../src/ingress/dialects/openai/format/route-rows.ts';
import { chatOf, send } from '../support/exchange.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const rows = [own, openAi, anthropic].flatMap((table) => Object.values(table));
const concrete = rows.filter(({ method }) => method !== '*');
const parameters = concrete.flatMap(({ method, path }) =>
  [...path.matchAll(/:\w+/g)].map(({ 0: name }) => ({ method, path, name })),
);
const nulls = ['%00', 'a%00b', '%00..'];

test('routes of callers have names in their paths', () => {
  expect(parameters.map(({ path }) => path)).toContain('/v1/runs/:runId');
});

describe.each(storeKinds)('U+0000 in a request of a caller on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
ingress: { openai: true, anthropic: true }
apps: [{ name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }]
`;
    return withApps(await openStack({ yaml }));
  });

  async function ask(method: string, path: string, body?: object) {
    const { stack } = shared();
    const headers = {
      ...{ 'x-api-key': await stack.key('tutor'), 'content-type': 'application/json' },
      'anthropic-version': '2023-06-01',
    };
    const text = method === 'POST' ? JSON.stringify(body ?? chatOf('sim-echo')) : undefined;
    const answer = await send(stack, path, { method, headers, ...(text && { body: text }) });
    return { status: answer.status, text: answer.text };
  }

  test.each(parameters)('$method $path rejects it as $name', async ({ method, path, name }) => {
    for (const nul of nulls) {
      const { status, text } = await ask(method, path.replace(name, nul).replace(/:\w+/g, 'x'));
      const sentence = 'The path contains the character U+0000; remove it.';
      expect([nul, status, text]).toEqual([nul, 400, expect.stringContaining(sentence)]);
    }
  });

  test.each(concrete)('$method $path does not fail for a query with it', async (row) => {
    const path = row.path.replace(/:\w+/g, 'x');
    expect((await ask(row.method, `${path}?a%00=%00&stream=%00`)).status).toBeLessThan(500);
  });

  test.each([
    ['/v1/chat', { ...chatOf('sim-echo'), userId: 'a\0b' }],
    ['/v1/chat', { ...chatOf('a\0b'), userId: 'ada' }],
    ['/v1/chat', { ...chatOf('sim-echo'), userId: 'ada', 'a\0b': 1 }],
    ['/v1/runs', { maxCostUsd: '1', userId: 'a\0b' }],
    ['/v1/runs', { maxCostUsd: '1', label: 'a\0b' }],
    ['/v1/runs', { maxCostUsd: '1', models: ['a\0b'] }],
    ['/openai/v1/chat/completions', { ...chatOf('a\0b'), maxTokens: undefined }],
    ['/anthropic/v1/messages', { ...chatOf('a\0b'), maxTokens: undefined, max_tokens: 9 }],
  ])('POST %s rejects %j', async (path, body) => {
    const { status } = await ask('POST', path, body);
    expect([400, 404]).toContain(status);
  });
});
