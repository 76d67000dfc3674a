import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../src/lib/redact.ts';
import { apiKey, openScripted } from './scripted-client.ts';
import { answer, hang, refuse, type Step, text } from './scripted-fetch.ts';

/** Everything that a log could print of a value. */
function printed(value: unknown): string {
  const open = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true };
  return [String(value), JSON.stringify(value), inspect(value), inspect(value, open)].join('\n');
}

function errorWith(properties: object): Error {
  return Object.assign(new Error('failed'), properties);
}

const headers = { 'x-api-key': apiKey };
const leaks: readonly { readonly name: string; readonly step: Step }[] = [
  { name: 'a message', step: refuse(new Error(`bad header ${apiKey}`)) },
  { name: 'a cause', step: refuse(new Error('failed', { cause: new Error(`key ${apiKey}`) })) },
  { name: 'a thrown text', step: refuse(`the key ${apiKey}`) },
  { name: 'a property', step: refuse(errorWith({ config: { headers } })) },
  { name: 'a name of a property', step: refuse(errorWith({ [apiKey]: 1 })) },
  { name: 'Headers', step: refuse(errorWith({ headers: new Headers(headers) })) },
  { name: 'a Map', step: refuse(errorWith({ headers: new Map(Object.entries(headers)) })) },
  { name: 'a Request', step: refuse(errorWith({ request: new Request('http://a', { headers }) })) },
  {
    name: 'a getter',
    step: refuse(Object.defineProperty(new Error(), 'a', { get: () => apiKey })),
  },
  { name: 'a function', step: refuse(errorWith({ send: Object.assign(() => 1, { apiKey }) })) },
  { name: 'several errors', step: refuse(new AggregateError([new Error(apiKey)], 'all')) },
  { name: 'a thrown object', step: refuse({ headers: new Headers(headers) }) },
  { name: 'a code', step: refuse(errorWith({ code: apiKey })) },
  { name: 'the message of the gateway', step: answer(403, { message: `no ${apiKey}` }) },
  {
    name: 'the fields of the API',
    step: answer(400, {
      error: { code: apiKey, message: apiKey, requestId: apiKey, model: apiKey },
    }),
  },
  { name: 'a content type', step: text(200, '', { 'content-type': `text/${apiKey}` }) },
];

describe('the key is in nothing that can be printed', () => {
  test('the client', () => {
    expect(printed(openScripted([]).client)).not.toContain(apiKey);
  });

  for (const { name, step } of leaks) {
    test(`an error, though the key is in ${name}`, async () => {
      const error = await openScripted([step]).failingChat({ maxAttempts: 1 });
      expect(printed(error)).not.toContain(apiKey);
      expect(printed(error.cause)).not.toContain(apiKey);
      expect(error.stack).not.toContain(apiKey);
    });
  }

  test('a message that is shortened within the key', async () => {
    // The smallest part of the key that would identify it.
    const part = apiKey.slice(0, 6);
    for (let before = 2_000 - apiKey.length; before <= 2_000; before++) {
      const message = `${'a'.repeat(before)}${apiKey}`;
      for (const step of [answer(400, { error: { message } }), answer(403, { message })]) {
        const error = await openScripted([step]).failingChat({ maxAttempts: 1 });
        expect(error.message.length).toBeLessThanOrEqual(2_001);
        expect(printed(error)).not.toContain(part);
      }
    }
  });

  test('a timeout, whose cause is the error before', async () => {
    const steps = [refuse(errorWith({ config: { headers } })), hang()];
    const error = await openScripted(steps).failingChat();
    expect(error.code).toBe('TIMEOUT');
    expect(printed(error)).not.toContain(apiKey);
  });

  test('an abort, whose cause is the caller’s reason', async () => {
    const signal = AbortSignal.abort(errorWith({ headers: new Headers(headers) }));
    const error = await openScripted([hang()]).failingChat({ signal });
    expect(printed(error)).not.toContain(apiKey);
  });

  test('the error of a deep, wide or circular cause', async () => {
    const circular: Record<string, unknown> = { apiKey };
    circular.self = circular;
    let deep: object = { apiKey };
    for (let depth = 0; depth < 50; depth++) deep = { deep };
    const wide = Array.from({ length: 2_000 }, () => apiKey);
    for (const properties of [{ circular }, { deep }, { wide: [...wide.keys(), ...wide] }]) {
      const error = await openScripted([refuse(errorWith(properties))]).failingChat();
      expect(printed(error)).not.toContain(apiKey);
    }
  });
});

describe('a cause', () => {
  const redactor = createRedactor(apiKey);

  test('without the key stays the same object', () => {
    const refused = errorWith({ code: 'ECONNREFUSED', errno: -111, port: 8787 });
    const failed = new TypeError('fetch failed', { cause: refused });
    const abort = AbortSignal.abort().reason;
    const several = new AggregateError([refused, failed], 'all of them');
    for (const cause of [failed, abort, several, 'text', 7, null, undefined, { plain: [true] }]) {
      expect(redactor.cause(cause)).toBe(cause);
    }
  });

  test('with the key is copied with name, message, stack and code', () => {
    const original = new TypeError(`bad ${apiKey}`, { cause: errorWith({ code: 'EINVAL' }) });
    const copy = redactor.cause(original);
    expect(copy).not.toBe(original);
    expect(copy).toMatchObject({
      name: 'TypeError',
      message: 'bad [api key]',
      cause: { message: 'failed', code: 'EINVAL' },
    });
    expect(inspect(copy)).toContain('secrecy.test.ts');
  });

  test('that never ends is copied: it cannot be checked completely', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const cause = errorWith({ circular });
    expect(redactor.cause(cause)).not.toBe(cause);
    expect(redactor.cause(cause)).toMatchObject({ message: 'failed' });
  });

  test('of a client whose "key" is a short word of a test is unchanged', () => {
    const cause = new Error('the test failed');
    expect(createRedactor('test').cause(cause)).toBe(cause);
    expect(createRedactor('test').text('a test')).toBe('a test');
  });
});
