import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTraceParent, traceHeaders } from '../../src/tracing/traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

function read(headers: Readonly<Record<string, string>>, repeated: readonly string[] = []) {
  return readTraceParent({
    header: (name) => headers[name],
    isRepeated: (name) => repeated.includes(name),
  });
}

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''));

describe('traceparent', () => {
  test.each([
    ['00', false, '00'],
    ['01', true, '01'],
    ['ff', true, '03'],
    ['fe', false, '02'],
    ['03', true, '03'],
  ])('with the flags %s is read, and forwarded', (flags, isSampled, sentFlags) => {
    const parsed = read({ traceparent: `00-${traceId}-${spanId}-${flags}` });
    const isRandom = sentFlags > '01' ? true : undefined;
    expect(parsed).toEqual({ traceId, spanId, isSampled, isRandom, state: undefined });
    expect(parsed && traceHeaders(parsed)).toEqual({
      traceparent: `00-${traceId}-${spanId}-${sentFlags}`,
    });
  });

  test.each([
    `01-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01-what-the-future-will-be-like`,
    `fe-${traceId}-${spanId}-01-`,
  ])('of a later version, %s, is read as far as version 00 defines it', (traceparent) => {
    const parsed = read({ traceparent });
    expect(parsed).toEqual({ traceId, spanId, isSampled: true, state: undefined });
    expect(parsed && traceHeaders(parsed)).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
  });

  test.each([
    '',
    'x',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-01 `,
    `cc-${traceId}-${spanId}-01.more`,
    `cc-${traceId}-${spanId}-0`,
    `CC-${traceId}-${spanId}-01`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}0-01`,
    `00-${traceId}-${spanId}-0g`,
  ])('that is %j is invalid', (traceparent) => {
    expect(read({ traceparent })).toBeUndefined();
  });

  test('that occurs twice is invalid', () => {
    const traceparent = `00-${traceId}-${spanId}-01`;
    expect(read({ traceparent }, ['traceparent'])).toBeUndefined();
  });

  test('of any text follows the grammar', () => {
    const near = fc
      .tuple(fc.constantFrom('00', '01', 'ff'), hex(32), hex(16), hex(2), fc.constantFrom('', '-a'))
      .map(
        ([version, trace, span, flags, more]) =>
          `${[version, trace, span, flags].join('-')}${more}`,
      );
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (traceparent) => {
        const [version = '', trace = '', span = '', flags = '', ...more] = traceparent.split('-');
        const digits = (text: string, length: number) =>
          text.length === length && [...text].every((one) => '0123456789abcdef'.includes(one));
        const isNone = (text: string) => [...text].every((one) => one === '0');
        const isRight =
          (version === '00' ? more.length === 0 : version === '01') &&
          digits(trace, 32) &&
          digits(span, 16);
        const expected = isRight && digits(flags, 2) && !isNone(trace) && !isNone(span);
        expect(read({ traceparent }) !== undefined).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  const traceparent = `00-${traceId}-${spanId}-01`;
  const membersOf = (count: number) => {
    return Array.from({ length: count }, (_, index) => `m${index}=1`).join(',');
  };

  test.each([
    ['a=1,b=2', 'a=1,b=2'],
    [' a=1 ', 'a=1'],
    [`a=1,${'x'.repeat(251)}=${'y'.repeat(256)}`, `a=1,${'x'.repeat(251)}=${'y'.repeat(256)}`],
    [`a=1,${'x'.repeat(252)}=${'y'.repeat(256)}`, undefined],
    [`${'x'.repeat(256)}=1`, `${'x'.repeat(256)}=1`],
    [`${'x'.repeat(257)}=1`, undefined],
    [`a=${'y'.repeat(257)}`, undefined],
    [membersOf(32), membersOf(32)],
    [membersOf(33), undefined],
    ['t@v=1,a-*/b_=~ !', 't@v=1,a-*/b_=~ !'],
    ['a=1,,b=2', 'a=1,,b=2'],
    ['A=1', undefined],
    ['-a=1', undefined],
    ['a', undefined],
    ['a=', undefined],
    ['a=1=2', undefined],
    ['a=1,b=\u007f', undefined],
    ['', undefined],
    ['a=é', undefined],
    ['a=1\t,\tb=2', 'a=1\t,\tb=2'],
    ['a=1, b=2', 'a=1, b=2'],
  ])('forwards a tracestate of %j as %j', (tracestate, state) => {
    const parsed = read({ traceparent, tracestate });
    expect(parsed?.state).toBe(state);
    expect(parsed && traceHeaders(parsed).tracestate).toBe(state);
    expect(read({ traceparent, tracestate }, ['tracestate'])?.state).toBe(state);
  });
});
