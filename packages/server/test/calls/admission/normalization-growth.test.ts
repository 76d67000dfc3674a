import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNormalizationGrowth } from '../../../src/calls/admission/normalization-growth.ts';

const growth = createNormalizationGrowth();

const bytesOf = (text: string) => Buffer.byteLength(text);

/** The growth of a text within a JSON body. */
const growthOf = (text: string) => {
  const json = JSON.stringify(text);
  return growth(json, bytesOf(json));
};

/** The same text with every character escaped, as other JSON writers do. */
const escaped = (text: string) => {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
};

const isHangulSyllable = (point: number) => point >= 0xac00 && point <= 0xd7a3;
const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;

test('every code point counts with the longest of itself and its decompositions', () => {
  const wrong: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (isSurrogate(point)) continue;
    const text = String.fromCodePoint(point);
    const forms = isHangulSyllable(point) ? [] : [text.normalize('NFD'), text.normalize('NFKD')];
    const expected = Math.max(0, ...forms.map((form) => bytesOf(form) - bytesOf(text)));
    const json = escaped(text);
    const growths = [growthOf(text), growth(json, json.length)];
    if (growths.some((bytes) => bytes !== expected))
      wrong.push(`${point.toString(16)}: ${growths}`);
  }
  expect(wrong, 'run scripts/write-normalization-ranges.ts').toEqual([]);
});

/**
 * Code points of all kinds. Code points that normalization changes are far more frequent than by
 * chance.
 */
const point = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }),
  fc.integer({ min: 0xa0, max: 0x24f }),
  fc.integer({ min: 0x300, max: 0x36f }),
  fc.integer({ min: 0x900, max: 0xfff }),
  fc.integer({ min: 0x1100, max: 0x11ff }),
  fc.integer({ min: 0x1e00, max: 0x24ff }),
  fc.integer({ min: 0x3000, max: 0x33ff }),
  fc.integer({ min: 0xac00, max: 0xd7a3 }),
  fc.integer({ min: 0xf900, max: 0xffef }),
  fc.integer({ min: 0x1d15e, max: 0x1d1ff }),
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0x10000, max: 0x10ffff }),
);
const text = fc.array(point, { maxLength: 24 }).map((points) => String.fromCodePoint(...points));

test('100,000 texts of all kinds never have more bytes in a composed form than the limit', () => {
  const texts = fc.array(text, { minLength: 100, maxLength: 100 });
  fc.assert(
    fc.property(texts, (all) => {
      for (const one of all) {
        const longest = Math.max(bytesOf(one.normalize('NFC')), bytesOf(one.normalize('NFKC')));
        expect(bytesOf(one) + growthOf(one)).toBeGreaterThanOrEqual(longest);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a decomposed form has no more bytes than the limit, except Hangul syllables', () => {
  const withoutHangul = text.filter((one) => !/[\uac00-\ud7a3]/.test(one));
  fc.assert(
    fc.property(withoutHangul, (one) => {
      const longest = Math.max(bytesOf(one.normalize('NFD')), bytesOf(one.normalize('NFKD')));
      expect(bytesOf(one) + growthOf(one)).toBeGreaterThanOrEqual(longest);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['plain ASCII', '"a \\" b \\\\ c \\n"', 0],
  ['an escaped backslash before a u', '"\\\\ufdfa"', 0],
  ['an escape in either case', '"\\ufdfa\\uFDFA"', 60],
  ['a pair of escapes', '"\\ud834\\udd5e"', 4],
  ['a name as well as a value', '{"\ufdfa":"\ufdfa"}', 60],
  ['what follows an escape', '"\\u0041\ufdfa"', 30],
])('%s: %s', (_what, json, expected) => {
  expect(growth(json, bytesOf(json))).toBe(expected);
});
