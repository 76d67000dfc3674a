import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { numberGrowth } from '../../src/ingress/dialects/gateway/body/size.ts';

/** The growth as one expression defines it. It takes quadratic time. */
function growthByPattern(text: string): number {
  let growth = 0;
  for (const [found] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?[eE][+-]?\d+/g)) {
    if (found.startsWith('"')) continue;
    growth += Math.max(0, String(Number(found)).length - found.length);
  }
  return growth;
}

/** Parts of numbers, of strings and of the text between them. */
const parts = fc.constantFrom(
  ...'0123456789.eE+-"\\,:[]{} ',
  'true',
  '1e5',
  '\\"',
  '\\\\',
  '1e308',
);
const fragment = fc.array(parts, { maxLength: 12 }).map((all) => all.join(''));
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.stringMatching(/^(0|[1-9][0-9]{0,30})$/),
    fc.stringMatching(/^(\.[0-9]{1,30})?$/),
    fc.stringMatching(/^([eE][+-]?[0-9]{1,3})?$/),
  )
  .map((all) => all.join(''));
const json = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    number,
    fragment.map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('any')).map((items) => `[${items.join(' , ')}]`),
    fc
      .array(fc.tuple(fragment, tie('any')))
      .map((fields) => `{${fields.map(([name, of]) => `${JSON.stringify(name)} :${of}`).join()}}`),
  ),
})).any;

describe('the growth of numbers', () => {
  test('equals the result of the expression for any JSON', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(JSON.parse(text)).toBeDefined();
        expect(numberGrowth(text)).toBe(growthByPattern(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test('reads each character at most a few times, for any text', () => {
    fc.assert(
      fc.property(fragment, fragment, fc.nat({ max: 50 }), (one, other, times) => {
        const text = `[1e5,${one.repeat(times)}${other.repeat(times)}]`;
        expect(stepsOf(text)).toBeLessThanOrEqual(8 * text.length);
      }),
      { numRuns: 200 },
    );
    for (const unit of ['1', '-', 'e', '1e', '.', '1.', '"', '\\', '\\"', '"1"', '1e5,', '"\\']) {
      const text = `[1e5,${unit.repeat(2_000)}]`;
      expect(stepsOf(text), unit).toBeLessThanOrEqual(8 * text.length);
    }
  });
});

/** How many characters the scanner reads, one by one or to find a quote. */
function stepsOf(text: string): number {
  const { charCodeAt, indexOf } = String.prototype;
  let steps = 0;
  vi.spyOn(String.prototype, 'charCodeAt').mockImplementation(function (this: string, at) {
    steps += 1;
    return charCodeAt.call(this, at);
  });
  vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, part, from = 0) {
    const found = indexOf.call(this, part, from);
    steps += (found === -1 ? this.length : found) - from;
    return found;
  });
  numberGrowth(text);
  vi.restoreAllMocks();
  // Characters that an expression reads are not counted.
  expect(steps).toBeGreaterThanOrEqual(text.indexOf('"', 5) === -1 ? text.length : 5);
  return steps;
}
