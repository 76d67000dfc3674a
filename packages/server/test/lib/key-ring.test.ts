import { hkdfSync } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createKeyRing, newRingKey, parseKeyRing } from '../../src/lib/key-ring.ts';

const secret = 'a secret of the operator: 0123456789';
const older = 'what it was before: 9876543210 abcdef';
const ring = createKeyRing([
  { id: 'k2', secret },
  { id: 'k1', secret: older },
]);

test('a derived secret is HKDF-SHA-256 of the named key', () => {
  const expected = (of: string) => Buffer.from(hkdfSync('sha256', of, '', 'for this', 32));
  expect(ring.newest).toBe('k2');
  expect(ring.derive('k2', 'for this')).toEqual(expected(secret));
  expect(ring.derive('k1', 'for this')).toEqual(expected(older));
  expect(ring.derive('k3', 'for this')).toBeUndefined();
});

test('a printed ring shows no secret', () => {
  const shown = `${inspect(ring, { depth: 9, showHidden: true })} ${JSON.stringify({ ring })}`;
  expect(shown).not.toContain('operator');
  expect(shown).not.toContain('before');
});

test('a ring is read from commas or lines, newest first, and a secret can contain a colon', () => {
  const text = `# is no comment:${'0123456789abcdef'.repeat(2)}`;
  const [made] = [newRingKey()];
  const lines = `b:${'0123456789:bcdef'.repeat(2)}\r\n\n ${made.id}:${made.secret} \n`;
  expect(parseKeyRing(lines)).toEqual({
    keys: [{ id: 'b', secret: '0123456789:bcdef'.repeat(2) }, made],
  });
  expect(parseKeyRing(text)).toEqual({
    problem: 'key 1 must have an id of 1–32 letters, digits, "_" and "-"',
  });
});

const long = 'SECRET-0123456789-abcdefghijklmnop';
test.each([
  ['', 'must have a key, ID:SECRET'],
  [' ,\n', 'must have a key, ID:SECRET'],
  [long, 'key 1 must be ID:SECRET'],
  [`k1:${long},${long}`, 'key 2 must be ID:SECRET'],
  [`:${long}`, 'key 1 must have an id of 1–32 letters, digits, "_" and "-"'],
  [`${long}:${long}`, 'key 1 must have an id of 1–32 letters, digits, "_" and "-"'],
  [`k1:${long},k1:${long}`, 'key 2 has the id of another key'],
  ['k1:SECRET', 'key 1 has a secret of 6 characters; it needs at least 32'],
  [`k1:${long} x`, 'key 1 must have a secret of printable ASCII without blanks'],
  [`k1:${'SECRET'.repeat(6)}`, 'key 1 has a secret of fewer than 8 different characters'],
])('an invalid ring is rejected with its fault and no secret: %#', (text, problem) => {
  const read = parseKeyRing(text);
  expect('problem' in read && read.problem).toContain(problem);
  expect(JSON.stringify(read)).not.toContain('SECRET-');
});
