import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isRecord } from '../../src/lib/json-value.ts';
import { readVectors } from '../../src/platforms/wires/openai-embeddings/openai-embeddings.ts';
import {
  type ReadCounts,
  VectorReader,
} from '../../src/platforms/wires/openai-embeddings/vector-reader.ts';

const limits = { bytesMax: 1e9, restBytesMax: 1e6, numbersMax: 1e7 };

/** Reads a text in pieces of this many bytes. */
function readIn(text: string, size: number, more: Partial<typeof limits> = {}) {
  const counts: ReadCounts = { parsedMax: 0 };
  const reader = new VectorReader({ ...limits, ...more }, counts);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    const reading = reader.read(Buffer.from(bytes.subarray(at, at + size)));
    if (reading !== undefined) return { reading, counts };
  }
  return { reader, counts, rest: reader.rest()?.toString() ?? '' };
}

function vectorsIn({ reader, rest = '' }: ReturnType<typeof readIn>) {
  const body: unknown = JSON.parse(rest);
  return isRecord(body) ? readVectors(body.data, reader?.vectors) : undefined;
}

const base64Of = (floats: readonly number[]) =>
  Buffer.from(Float32Array.from(floats).buffer).toString('base64');
const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const embedding = fc.oneof(
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
  fc.array(float).map(base64Of),
  fc.jsonValue(),
);
const entry = fc.record(
  { index: fc.nat(9), embedding, object: fc.jsonValue(), 'a"]': fc.string({ unit: 'binary' }) },
  { requiredKeys: ['embedding'] },
);
const answer = fc.record({ data: fc.array(entry), model: fc.jsonValue(), usage: fc.jsonValue() });

test('responses are read as if they were parsed at once, whatever their pieces are', () => {
  fc.assert(
    fc.property(answer, fc.nat({ max: 40 }), fc.constantFrom(undefined, 1), (body, size, space) => {
      const text = JSON.stringify(body, null, space);
      const { data } = JSON.parse(text);
      const read = readIn(text, size + 1);
      expect(vectorsIn(read)).toEqual(readVectors(data));
      const { data: _data, ...others } = JSON.parse(read.rest ?? '');
      const { data: _other, ...expected } = JSON.parse(text);
      expect(JSON.stringify(others).replaceAll(/"embedding":"\d+"/g, '')).toBe(
        JSON.stringify(withoutVectors(expected)).replaceAll(/"embedding":"\d+"/g, ''),
      );
    }),
    { numRuns: 300 },
  );
});

/** Lists and texts with this name also occur elsewhere. */
function withoutVectors(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVectors);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isOne = name === 'embedding' && (Array.isArray(inner) || typeof inner === 'string');
      return [name, isOne ? '0' : withoutVectors(inner)];
    }),
  );
}

describe('no more is parsed at once than has arrived, and a number', () => {
  const pieceBytes = 65_536;
  // The widest valid response to 64 texts: each number is written with all its digits.
  const numbers = Array.from({ length: 8_192 }, (_, index) => -(index + 1 / 3) / 7e10);
  const textOf = (embedding: unknown) =>
    JSON.stringify({ data: Array.from({ length: 64 }, (_, index) => ({ index, embedding })) });

  it.each([
    ['decimals', textOf(numbers), pieceBytes + 64],
    ['base64', textOf(base64Of(numbers)), 8_192 * 6],
  ])('in %s', (_, text, most) => {
    const read = readIn(text, pieceBytes);
    expect(text.length).toBeGreaterThan(2_000_000);
    expect(read.counts.parsedMax).toBeLessThanOrEqual(most);
    const vectors = vectorsIn(read);
    expect(vectors).toHaveLength(64);
    expect(Array.from(vectors?.[63] ?? [])).toHaveLength(8_192);
    // The remainder to parse is short.
    expect(read.rest?.length).toBeLessThan(64 * 40);
  });
});

describe('invalid responses are rejected', () => {
  it.each<[string, string, Partial<typeof limits>, string]>([
    ['too many bytes', '{"data":[]}', { bytesMax: 10 }, 'ANSWER_TOO_LARGE'],
    ['too many numbers', '{"embedding":[1,2,3,4]}', { numbersMax: 3 }, 'ANSWER_TOO_LARGE'],
    ['too much beside them', `{"a":"${'b'.repeat(99)}"}`, { restBytesMax: 50 }, 'ANSWER_TOO_I'],
    ['a number that is too long', `{"embedding":[${'1'.repeat(9_999)}]}`, {}, 'ANSWER_TOO_INTR'],
    ['a text that is too long', `{"embedding":"${'A'.repeat(600_000)}"}`, {}, 'ANSWER_TOO_LARGE'],
  ])('%s', (_, text, more, code) => {
    expect(readIn(text, 7, more).reading).toMatchObject({ code: expect.stringContaining(code) });
  });

  const broken = ['[1,]', '[,1]', '[1,,2]', '[01]', '[1 2]', '[NaN]', '[1', '"a', '[[1]', '[1]]'];
  it.each([...broken, '[long]', '[1, long]', '[0.5,-long,1]', '[[long]]'])(
    'not JSON: %s',
    (value) => {
      for (const size of [1, 2, 3, 100, 1_000]) {
        const written = value.replace('long', '1'.repeat(401));
        const { rest } = readIn(`{"data":[{"embedding":${written}}]}`, size);
        expect(() => JSON.parse(rest ?? '')).toThrow();
      }
    },
  );
});
