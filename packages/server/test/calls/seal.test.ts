import { expect, test } from 'vitest';
import { createIdempotencyKey } from '../../src/calls/model/idempotency-key.ts';
import { createKeyRing } from '../../src/lib/key-ring.ts';

const keyOf = (key: string) =>
  createIdempotencyKey({ key, method: 'POST', path: '/v1/chat', body: Buffer.from('{}') });
const key = keyOf('k1');
const k1 = { id: 'k1', secret: 'the first secret of the operator' };
const k2 = { id: 'k2', secret: 'the second secret of the operator' };
const ring = createKeyRing([k1]);
const context = { ring, app: 'search', callId: 'call_1' };
const text = 'Grüße';
const sealed = key.seal(context, text);

test('a response names the key of the ring that seals it', () => {
  expect(sealed).toMatch(/^k1\.[\w+/]+=*$/);
  expect(key.open(context, sealed)).toBe(text);
});

test.each([
  ['another app', key, { ...context, app: 'tutor' }],
  ['another call', key, { ...context, callId: 'call_2' }],
  ['another idempotency key', keyOf('k2'), context],
  ['no ring', key, { ...context, ring: undefined }],
  ['a ring that lacks its key', key, { ...context, ring: createKeyRing([k2]) }],
  [
    'another secret of the same name',
    key,
    { ...context, ring: createKeyRing([{ id: 'k1', secret: k2.secret }]) },
  ],
])('it cannot be opened by %s', (_, by, to) => {
  expect(by.open(to, sealed)).toBeUndefined();
});

test('it can be opened after a newer key seals, in any order of the replicas', () => {
  for (const keys of [
    [k2, k1],
    [k1, k2],
  ] as const) {
    const rotated = createKeyRing(keys);
    expect(key.open({ ...context, ring: rotated }, sealed)).toBe(text);
    const again = key.seal({ ...context, ring: rotated }, text);
    expect(again).toMatch(new RegExp(`^${keys[0].id}\\.`));
    for (const other of [createKeyRing([k1, k2]), createKeyRing([k2, k1])]) {
      expect(key.open({ ...context, ring: other }, again)).toBe(text);
    }
  }
});

test('a seal from before the ring can be opened, without a ring and with one', () => {
  const before = key.seal({ ...context, ring: undefined }, text);
  expect(before).not.toContain('.');
  expect(key.open(context, before)).toBe(text);
  expect(key.open({ ...context, ring: undefined }, before)).toBe(text);
  expect(key.open({ ...context, callId: 'call_2' }, before)).toBeUndefined();
});

test('a shortened or changed seal cannot be opened', () => {
  const bytes = Buffer.from(sealed.slice(3), 'base64');
  for (let at = 0; at < bytes.length; at++) {
    expect(key.open(context, `k1.${bytes.subarray(0, at).toString('base64')}`)).toBeUndefined();
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(key.open(context, `k1.${changed.toString('base64')}`)).toBeUndefined();
  }
  for (const invalid of [
    '',
    '.',
    'k1.',
    'k1',
    sealed.slice(3),
    `k2.${sealed.slice(3)}`,
    '\u0000',
  ]) {
    expect(key.open(context, invalid)).toBeUndefined();
  }
});
