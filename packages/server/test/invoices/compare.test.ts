import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BookedSum, compare, undatedModel } from '../../src/invoices/compare.ts';
import type { InvoiceLine } from '../../src/invoices/invoice-line.ts';

const day = '2026-11-20';

function booked(sums: Partial<BookedSum> = {}): BookedSum {
  return { day, app: 'search', model: 'm', exact: 100n, estimated: 0n, band: 0n, ...sums };
}

function line(changes: Partial<InvoiceLine> = {}): InvoiceLine {
  return {
    ...{ day, project: 'p', app: '', kind: 'tokens', model: 'm', tokenType: 'input' },
    ...{ quantity: undefined, amount: 100n, tolerance: 0n, ...changes },
  };
}

function verdictsOf(
  sums: readonly BookedSum[],
  lines: readonly InvoiceLine[],
  state: 'final' | 'open' | 'none' = 'final',
) {
  const ownerOf = ({ project }: InvoiceLine) => {
    if (project === '') return { kind: 'untagged' } as const;
    return project === 'p'
      ? ({ kind: 'app', app: 'search' } as const)
      : ({ kind: 'foreign' } as const);
  };
  const rows = compare({
    booked: sums,
    lines,
    ownerOf,
    isFinal: () => (state === 'none' ? undefined : state === 'final'),
  });
  return rows.map(({ app, model, verdict }) => [app, model, verdict].join(' '));
}

test('each verdict has its case', () => {
  expect(verdictsOf([booked()], [line()])).toEqual(['search m equal']);
  expect(verdictsOf([booked({ estimated: 50n })], [line({ amount: 120n })])).toEqual([
    'search m explained',
  ]);
  expect(verdictsOf([booked()], [line({ amount: 101n })])).toEqual(['search m over']);
  expect(verdictsOf([booked()], [line({ amount: 99n })])).toEqual(['search m under']);
  expect(verdictsOf([booked()], [line({ amount: 99n })], 'open')).toEqual(['search m open']);
  expect(verdictsOf([booked()], [], 'none')).toEqual(['search m open']);
  expect(verdictsOf([], [line({ project: '' })])).toEqual([' m untagged']);
  expect(verdictsOf([], [line({ project: 'theirs' })])).toEqual([' m foreign']);
});

test('a call that ended around midnight can be on the other day', () => {
  const sums = [booked({ band: 30n })];
  expect(verdictsOf(sums, [line({ amount: 70n })])).toEqual(['search m explained']);
  expect(verdictsOf(sums, [line({ amount: 130n })])).toEqual(['search m explained']);
  expect(verdictsOf(sums, [line({ amount: 69n })])).toEqual(['search m under']);
  expect(verdictsOf(sums, [line({ amount: 131n })])).toEqual(['search m over']);
});

test('digits that were cut off are not a difference', () => {
  expect(verdictsOf([booked()], [line({ amount: 105n, tolerance: 5n })])).toEqual([
    'search m equal',
  ]);
  expect(verdictsOf([booked()], [line({ amount: 106n, tolerance: 5n })])).toEqual([
    'search m over',
  ]);
});

test('a line without a model makes the whole day compared', () => {
  const sums = [booked(), booked({ model: 'n', exact: 10n })];
  const lines = [line({ model: '', amount: 10n }), line()];
  expect(verdictsOf(sums, lines)).toEqual(['search  equal']);
});

test('costs other than tokens are separate', () => {
  const lines = [line(), line({ kind: 'web_search', model: '', amount: 7n })];
  expect(verdictsOf([booked()], lines)).toEqual(['search (web_search) over', 'search m equal']);
});

test('a model is the same with and without the date of its release', () => {
  expect(undatedModel('claude-haiku-4-5-20251001')).toBe('claude-haiku-4-5');
  expect(undatedModel('gpt-5.6-luna-2026-01-31')).toBe('gpt-5.6-luna');
  expect(undatedModel('openai.gpt-oss-120b')).toBe('openai.gpt-oss-120b');
});

test('a verdict follows the sums, for any sums', () => {
  const amount = fc.bigInt({ min: 0n, max: 200n });
  fc.assert(
    fc.property(amount, amount, amount, amount, (exact, estimated, band, invoice) => {
      fc.pre(exact + estimated + invoice > 0n);
      const [row] = compare({
        booked: [booked({ exact, estimated, band })],
        lines: [line({ amount: invoice })],
        ownerOf: () => ({ kind: 'app', app: 'search' }),
        isFinal: () => true,
      });
      const isInside = exact - band <= invoice && invoice <= exact + estimated + band;
      const isEqual = invoice === exact + estimated;
      const expected = isEqual
        ? 'equal'
        : isInside
          ? 'explained'
          : invoice < exact
            ? 'under'
            : 'over';
      expect(row?.verdict).toBe(expected);
    }),
  );
});
