import { timingSafeEqual } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyLengthMax } from '../../src/registry/key-format.ts';
import {
  createKeyRing,
  hashKey,
  type IsSameDigest,
  isSameDigest,
} from '../../src/registry/key-ring.ts';
import type { ApiKeyRow } from '../../src/store/queries/registry.ts';

const text = 'a-key-that-was-made-elsewhere';
const hash = hashKey(text);

function row(id: string, more: Partial<ApiKeyRow> = {}): ApiKeyRow {
  const name = 'llm::user::search::team@acme.example';
  const limits = { lineage: id, models: undefined, expiresAt: undefined, note: undefined };
  const own = { id, hash, name, customerId: 'search', parsed: undefined, ...limits };
  const rest = { createdAt: 0, isSample: false, disabledBy: undefined, disabledRole: undefined };
  return { ...own, isEnabled: true, ...rest, ...more };
}

/** A digest that differs from this character on. */
function otherFrom(index: number): string {
  const from = hash.slice(index);
  const turned = from.replaceAll(/./g, (digit) => (digit === '0' ? '1' : '0'));
  return hash.slice(0, index) + turned;
}

test('a key is found by its complete digest', () => {
  const others = [0, 7, 8, 9, 32, 62, 63].map((at) => row(`at ${at}`, { hash: otherFrom(at) }));
  expect(createKeyRing(others).find(text)).toBeUndefined();
  expect(createKeyRing([...others, row('right')]).find(text)?.id).toBe('right');
  expect(createKeyRing([row('right'), ...others]).find(text)?.id).toBe('right');
});

test('a text longer than any key is not found, whatever its digest', () => {
  const text = 'k'.repeat(keyLengthMax + 1);
  expect(createKeyRing([row('long', { hash: hashKey(text) })]).find(text)).toBeUndefined();
  const longest = text.slice(1);
  expect(createKeyRing([row('long', { hash: hashKey(longest) })]).find(longest)?.id).toBe('long');
});

test('a key that is disabled is not found', () => {
  expect(createKeyRing([row('off', { isEnabled: false })]).find(text)).toBeUndefined();
});

// A measured time would be unreliable on a busy machine. Node's own comparison is constant-time.
// The test shows that it is the one in use, that nothing else decides, and that it gets complete
// digests.
test('the comparison takes the same time wherever digests differ', () => {
  expect(isSameDigest).toBe(timingSafeEqual);
});

test('only the comparison decides whether a key is right', () => {
  const compared: string[] = [];
  const record =
    (answer: boolean): IsSameDigest =>
    (one, another) => {
      compared.push(`${Buffer.from(one)} ${Buffer.from(another)}`);
      return answer;
    };
  const near = otherFrom(63);
  expect(createKeyRing([row('right')], record(false)).find(text)).toBeUndefined();
  expect(createKeyRing([row('near', { hash: near })], record(true)).find(text)?.id).toBe('near');
  expect(compared).toEqual([`${hash} ${hash}`, `${hash} ${near}`]);
});

test('every candidate is compared, even after a match', () => {
  let comparisons = 0;
  const isSame: IsSameDigest = (one, another) => {
    comparisons += 1;
    return Buffer.compare(one, another) === 0;
  };
  const rows = [
    row('right'),
    row('near', { hash: otherFrom(63) }),
    row('far', { hash: otherFrom(0) }),
  ];
  expect(createKeyRing(rows, isSame).find(text)?.id).toBe('right');
  expect(comparisons).toBe(2);
});
