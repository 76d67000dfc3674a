import { expect, test } from 'vitest';
import { noTokens } from '../../src/books/usage.ts';
import { readResult, storeResult } from '../../src/calls/idempotency/stored-result.ts';
import { CallError } from '../../src/calls/model/call-error.ts';
import { createIdempotencyKey } from '../../src/calls/model/idempotency-key.ts';
import { type CallResult, failed, type Output } from '../../src/calls/model/result.ts';
import { encode } from '../../src/ingress/dialects/gateway/encode.ts';
import { createKeyRing } from '../../src/lib/key-ring.ts';

const key = createIdempotencyKey({
  ...{ key: 'k1', method: 'POST', path: '/v1/chat' },
  body: Buffer.from('{}'),
});
const ring = createKeyRing([{ id: 'k1', secret: 'a secret of the operator, long enough' }]);
const keyed = { key, app: 'search', callId: 'call_1' };

const odd = '{"b":1,"2":-0,"1":1e21,"__proto__":{"x":[]},"":"\\ud83d\\ude00 \\u2028"}';

const outputs: readonly Output[] = [
  { kind: 'text', text: 'Grüße \u0000 "“', finishReason: 'stop' },
  { kind: 'object', object: JSON.parse(odd) },
  { kind: 'turn', text: undefined, toolCalls: [{ id: 'c', name: 't', input: JSON.parse(odd) }] },
  { kind: 'turn', text: '', toolCalls: [] },
];

const results: readonly CallResult[] = [
  ...outputs.map((output) => ({
    ...({ kind: 'done', callId: keyed.callId, model: 'm', upstreamId: undefined } as const),
    ...{ output, usage: noTokens, cost: { usd: null, estimated: false }, isReplayed: false },
  })),
  { kind: 'relayed', body: '{ "of":\t"the platform", "é": 1.0 }', isReplayed: false },
  failed(new CallError('TRUNCATED', 'Cut “off”.', { model: 'm', requestId: 'r' })),
];

test.each(results)('a stored result is replayed byte for byte: %#', (result) => {
  const read = readResult(storeResult(result, 'gateway', keyed, ring), keyed, ring);
  expect(read && encode(read).body).toBe(encode(result).body);
  expect(read && encode(read).status).toBe(encode(result).status);
});

test('a result of an unknown encoder is not used', () => {
  const [result = failed(new CallError('INTERNAL', ''))] = results;
  const stored = { ...storeResult(result, 'gateway', keyed, undefined), encoderVersion: 3 };
  expect(readResult(stored, keyed, undefined)).toBeUndefined();
});
