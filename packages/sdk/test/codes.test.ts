import { runInNewContext } from 'node:vm';
import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { chatAnswer, openScripted } from './scripted-client.ts';
import { answer, partial, refuse, text } from './scripted-fetch.ts';

describe('the codes of the API', () => {
  const fields = { message: 'a sentence', requestId: 'platform-7', model: 'my-model' };
  for (const [code, { status }] of Object.entries(apiErrors)) {
    test(`${status} ${code} is thrown with its fields`, async () => {
      const { failingChat } = openScripted([answer(status, { error: { code, ...fields } })]);
      const error = await failingChat({ maxAttempts: 1 });
      expect(error).toMatchObject({ status, code, ...fields, attempts: 1 });
    });
  }

  test('fields that the API did not send are absent, not undefined', async () => {
    const { failingChat } = openScripted([answer(400, { error: { code: 'INVALID' } })]);
    const error = await failingChat();
    expect(Object.keys(error).sort()).toEqual([
      ...['attempts', 'code', 'idempotencyKey', 'retryable', 'status'],
    ]);
  });

  test('a code that this client does not contain yet is returned unchanged', async () => {
    const { failingChat } = openScripted([answer(418, { error: { code: 'TEAPOT' } })]);
    expect(await failingChat()).toMatchObject({ status: 418, code: 'TEAPOT' });
  });
});

describe('the codes of gateway bodies', () => {
  const codes: Readonly<Record<keyof typeof gatewayErrors, string>> = {
    BAD_REQUEST: 'HTTP_400',
    FORBIDDEN: 'FORBIDDEN',
    REQUEST_TIMEOUT: 'HTTP_408',
    REQUEST_TOO_LONG: 'REQUEST_TOO_LONG',
    EXPECTATION_FAILED: 'HTTP_417',
    TOO_MANY_REQUESTS: 'TOO_MANY_REQUESTS',
    LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
    HEADERS_TOO_LARGE: 'HTTP_431',
    GATEWAY_TIMEOUT: 'GATEWAY_TIMEOUT',
  };
  for (const [name, { status, message }] of Object.entries(gatewayErrors)) {
    const code = new Map(Object.entries(codes)).get(name);
    test(`${status} "${message}" is ${code}`, async () => {
      const { failingChat } = openScripted([answer(status, { message })]);
      const error = await failingChat({ maxAttempts: 1 });
      expect(error).toMatchObject({ status, code });
      expect(error.message).toContain(message);
    });
  }

  const unexpectedCodes = [
    { name: 'a 403 of somebody else', step: text(403, '<h1>Proxy</h1>'), code: 'HTTP_403' },
    { name: 'a 503 without a body', step: text(503, ''), code: 'HTTP_503' },
    { name: 'a 503 with a message', step: answer(503, { message: 'away' }), code: 'HTTP_503' },
    { name: 'a 429 with another message', step: answer(429, { message: 'slow' }) },
    { name: 'a 429 with a null error', step: answer(429, { message: 'slow', error: null }) },
    { name: 'a 429 of a proxy', step: text(429, '<h1>Slow down</h1>'), code: 'HTTP_429' },
    { name: 'an error that is a text', step: answer(500, { error: 'oops' }), code: 'HTTP_500' },
    { name: 'an error without code', step: answer(500, { error: {} }), code: 'HTTP_500' },
    { name: 'a list', step: answer(500, [1]), code: 'HTTP_500' },
    { name: 'an error whose body breaks', step: partial(500, '{', { breaks: true }) },
  ];
  for (const { name, step, code } of unexpectedCodes) {
    test(`${name} is ${code ?? 'coded by its status'}`, async () => {
      const error = await openScripted([step]).failingChat({ maxAttempts: 1 });
      const byStatus = error.status === 429 ? 'TOO_MANY_REQUESTS' : `HTTP_${error.status}`;
      expect(error.code).toBe(code ?? byStatus);
    });
  }
});

describe('the codes of the client', () => {
  test('NETWORK, status 0: the API could not be reached', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const error = await openScripted([refuse(cause)]).failingChat();
    expect(error).toMatchObject({ status: 0, code: 'NETWORK', attempts: 3 });
    expect(error.cause).toBe(cause);
    expect(error.message).toContain('ECONNREFUSED');
  });

  test('NETWORK if the exception is not an error', async () => {
    const error = await openScripted([refuse('odd')]).failingChat();
    expect(error).toMatchObject({ status: 0, code: 'NETWORK', cause: 'odd' });
  });

  test('NETWORK has the reason of an error of another realm', async () => {
    const thrown: unknown = runInNewContext(`new TypeError('fetch failed', {
      cause: Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
    })`);
    expect(thrown).not.toBeInstanceOf(Error);
    const error = await openScripted([refuse(thrown)]).failingChat();
    expect(error.message).toBe('the API could not be reached: ECONNREFUSED');
  });

  test('NETWORK reports the missing reason if an old Node lost it', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('[object Object]') });
    const error = await openScripted([refuse(cause)]).failingChat();
    expect(error.message).toBe('the API could not be reached: no reason given');
  });

  test.each([{}, { error: { code: 'SERVER' } }])('BAD_RESPONSE: 202 with %j', async (body) => {
    const error = await openScripted([answer(202, body)]).failingChat();
    expect(error).toMatchObject({ status: 202, code: 'BAD_RESPONSE' });
    expect(error.message).toContain('its body is not a response of the gateway');
  });

  test('NETWORK when a success breaks within its body', async () => {
    const broken = partial(200, '{"text":', { breaks: true });
    const { failingChat, script } = openScripted([broken]);
    expect(await failingChat()).toMatchObject({ status: 0, code: 'NETWORK' });
    expect(script.seen).toHaveLength(3);
  });

  const unusable = ['', '<h1>Hello</h1>', '{"text":', 'null', '[]', '"text"', '{}{}', '{}'];
  unusable.push('{"error":{}}', '{"error":"no"}', '{"error":{"code":"SERVER"}}');
  for (const body of unusable) {
    test(`BAD_RESPONSE: 200 with the body ${JSON.stringify(body)}, not retried`, async () => {
      const { failingChat, script } = openScripted([
        text(200, body, { 'content-type': 'text/html' }),
      ]);
      const error = await failingChat();
      expect(error).toMatchObject({ status: 200, code: 'BAD_RESPONSE', attempts: 1 });
      expect(error.message).toContain('text/html');
      expect(script.seen).toHaveLength(1);
    });
  }
});

describe('responses of any kind', () => {
  test('BAD_RESPONSE carries any success status', async () => {
    const error = await openScripted([async () => new Response(null, { status: 204 })]);
    expect(await error.failingChat()).toMatchObject({ status: 204, code: 'BAD_RESPONSE' });
  });

  for (const status of [301, 302, 303, 307, 308]) {
    test(`HTTP_${status}: a redirect is rejected, not retried, and its body canceled`, async () => {
      const location = { location: 'https://elsewhere.test/' };
      const redirect = partial(status, 'moved', { headers: location });
      const { failingChat, script } = openScripted([redirect]);
      const error = await failingChat();
      expect(error).toMatchObject({ status, code: `HTTP_${status}`, attempts: 1 });
      expect(error.message).toContain('correct baseUrl');
      expect(script.seen).toMatchObject([{ redirect: 'manual' }]);
      expect(script.cancelledBodies).toBe(1);
    });
  }

  test('a success is returned unchanged, with new fields', async () => {
    const body = { ...chatAnswer, novelty: true };
    const settled = await openScripted([answer(200, body)]).chat();
    expect(settled).toEqual({ kind: 'answer', answer: body });
  });

  test('a byte order mark and characters cut in two by chunks do no harm', async () => {
    const bytes = new TextEncoder().encode(`\ufeff${JSON.stringify({ text: 'größer 🎈' })}`);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const settled = await openScripted([async () => new Response(body)]).chat();
    expect(settled).toMatchObject({ answer: { text: 'größer 🎈' } });
  });
});
