import { describe, expect, test } from 'vitest';
import { send } from '../support/exchange.ts';
import { expectError, expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml, openStack } from '../support/stack.ts';
import { ask, expectOpenAiError, openAiYaml } from './support/openai.ts';

const paths = [
  ['GET', '/openai'],
  ['GET', '/openai/'],
  ['GET', '/openai/v1/models'],
  ['GET', '/openai/v1/models/sim-echo'],
  ['POST', '/openai/v1/chat/completions'],
] as const;

test('off, all below /openai is 403 without a known key, else 404', async () => {
  const stack = await openStack();
  const key = await stack.key('search');
  for (const [method, path] of paths) {
    const meet = (headers: Record<string, string>) => send(stack, path, { method, headers });
    expectError(await meet({ 'x-api-key': key }), {
      status: 404,
      code: 'NOT_FOUND',
      says: [`The route ${method} ${path} does not exist`, 'the routes are GET /v1/usage'],
    });
    expectGateway(await meet({}), 'FORBIDDEN');
    expectGateway(await meet({ authorization: `Bearer ${key}` }), 'FORBIDDEN');
  }
  await stack.close();
});

test.each([
  ['openai', 'anthropic', '/anthropic/v1/messages'],
  ['anthropic', 'openai', '/openai/v1/chat/completions'],
])('with only %s on, there is nothing below /%s', async (on, _, path) => {
  const stack = await openStack({ yaml: `${defaultYaml}ingress: { ${on}: true }\n` });
  const key = await stack.key('search');
  const post = (headers: Record<string, string>) => send(stack, path, { method: 'POST', headers });
  const says = [`The route POST ${path} does not exist`];
  expectError(await post({ 'x-api-key': key }), { status: 404, code: 'NOT_FOUND', says });
  expectGateway(await post({}), 'FORBIDDEN');
  expectGateway(await post({ authorization: `Bearer ${key}` }), 'FORBIDDEN');
  await stack.close();
});

const on = { yaml: openAiYaml };

test(
  'on, all else below /openai is 404 in OpenAI’s words, with its routes',
  onStack(async (stack) => {
    const others = [
      ['GET', '/openai/v1'],
      ['GET', '/openai/v1/chat/completions'],
      ['POST', '/openai/v1/models'],
      ['POST', '/openai/v1/completions'],
      ['POST', '/openai/v1/files'],
      ['POST', '/openai/v1/images/generations'],
      ['POST', '/openai/v1/audio/speech'],
      ['GET', '/openai/v1/assistants'],
      ['DELETE', '/openai/v1/models/sim-echo'],
    ] as const;
    for (const [method, path] of others) {
      expectOpenAiError(await ask(stack, path, { method }), {
        ...{ status: 404, type: 'invalid_request_error', code: 'unknown_url', name: 'NOT_FOUND' },
        says: [`The route ${method} ${path} does not exist`, 'GET /openai/v1/models/{model}'],
      });
    }
    // Ids without this prefix are not OpenAI's.
    const own = await ask(stack, '/openai', {
      headers: { 'x-api-key': await stack.key('search') },
    });
    expect(own.body).toEqual({ error: { code: 'NOT_FOUND', message: expect.any(String) } });
  }, on),
);

describe('the key', () => {
  const noKey = {
    ...{ status: 401, type: 'invalid_request_error', code: 'invalid_api_key' },
    ...{ name: 'FORBIDDEN', says: ['The API key is missing or unknown'] },
  };

  test(
    'is a bearer token, or x-api-key, or both with the same key',
    onStack(async (stack) => {
      const key = await stack.key('search');
      const path = '/openai/v1/models';
      for (const headers of [
        { authorization: `Bearer ${key}` },
        { authorization: `bearer  ${key}` },
        { 'x-api-key': key },
        { authorization: `Bearer ${key}`, 'x-api-key': key },
        // A value that is not a bearer token is ignored: a proxy might have used it.
        { authorization: 'Basic abc', 'x-api-key': key },
      ]) {
        expect((await send(stack, path, { headers })).status).toBe(200);
      }
      const other = await stack.key('tutor');
      for (const headers of [
        {},
        { authorization: 'Bearer ' },
        { authorization: key },
        { authorization: 'Bearer nobody' },
        { authorization: `Bearer ${key}`, 'x-api-key': other },
        { authorization: `Bearer ${key}`, 'x-api-key': '' },
      ]) {
        expectOpenAiError(await send(stack, path, { headers }), noKey);
      }
    }, on),
  );

  test(
    'off the convention, or of a missing or disabled app, is rejected as usual',
    onStack(async (stack) => {
      const meet = async (name: string, customer: string) => {
        const { key } = await stack.issueNamedKey(name, customer);
        const headers = { authorization: `Bearer ${key}` };
        return send(stack, '/openai/v1/models', { headers });
      };
      expectOpenAiError(await meet('a key', 'search'), {
        ...noKey,
        ...{ name: 'UNAUTHORIZED', says: [] },
      });
      expectOpenAiError(await meet('llm::user::nobody::a@b.example', 'nobody'), {
        ...{ status: 403, type: 'permission_error', code: 'NO_SERVICE', name: 'NO_SERVICE' },
      });
    }, on),
  );
});

test(
  'the gateway’s own rejections are also in OpenAI’s words',
  onStack(
    async (stack) => {
      const get = () => ask(stack, '/openai/v1/models');
      const tooLong = await ask(stack, '/openai/v1/models', {
        ...{ method: 'POST', body: 'x'.repeat(101) },
      });
      expectOpenAiError(tooLong, {
        ...{ status: 413, type: 'invalid_request_error' },
        ...{ code: 'REQUEST_TOO_LONG', name: 'REQUEST_TOO_LONG' },
      });
      expect((await get()).status).toBe(200);
      const tooMany = { type: 'rate_limit_error', code: 'rate_limit_exceeded', status: 429 };
      expectOpenAiError(await get(), {
        ...{ ...tooMany, name: 'TOO_MANY_REQUESTS', mayRetry: true, retryAfter: '1' },
      });
      await stack.clock.advance(2_000);
      expect((await get()).status).toBe(200);
      await stack.clock.advance(2_000);
      expectOpenAiError(await get(), { ...tooMany, name: 'LIMIT_EXCEEDED' });
    },
    {
      yaml: `${openAiYaml}limits: { bodyBytes: 100 }
plans: { user: { ratePerSecond: 1, burst: 2, requestsPerDay: 3 } }
`,
    },
  ),
);

describe('the models', () => {
  const yaml = openAiYaml.replace('name: search,', 'name: search, models: [sim-echo, sim-stop],');

  test(
    'are the app’s models, in OpenAI’s format',
    onStack(
      async (stack) => {
        const entry = (id: string) => {
          return { id, object: 'model', created: 0, owned_by: 'model-gateway' };
        };
        const list = await ask(stack, '/openai/v1/models');
        expect(list.body).toEqual({
          ...{ object: 'list', data: [entry('sim-echo'), entry('sim-stop')] },
        });
        const one = await ask(stack, '/openai/v1/models/sim%2Decho');
        expect(one.body).toEqual(entry('sim-echo'));
        expectOpenAiError(await ask(stack, '/openai/v1/models/sim-reasoning'), {
          ...{ status: 404, type: 'invalid_request_error', code: 'model_not_found' },
          ...{ name: 'NOT_FOUND', param: 'model', says: ['sim-reasoning', 'search'] },
        });
        expectOpenAiError(await ask(stack, '/openai/v1/models/%'), {
          ...{ status: 400, type: 'invalid_request_error', code: 'INVALID', name: 'INVALID' },
        });
      },
      { yaml },
    ),
  );
});
