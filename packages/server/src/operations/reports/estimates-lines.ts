import { csvLine } from '../../reports/csv.ts';
import { dollars, tableLines } from '../description/text-lines.ts';
import type { Estimates } from '../documents/estimates.ts';

const heads = ['reason', 'platform', 'model', 'calls', 'estimatedUsd'] as const;

export function estimatesTable({ from, to, rows, totalUsd }: Estimates): readonly string[] {
  const cells = rows.map(({ reason, platform, model, calls, estimatedUsd }) => [
    ...[reason ?? 'not noted', platform ?? 'unknown', model, String(calls), dollars(estimatedUsd)],
  ]);
  return tableLines(
    ['reason', 'platform', 'model', 'calls', 'estimated'],
    cells.length === 0 ? [] : [...cells, ['total', '', '', '', dollars(totalUsd)]],
    `No cost from ${from} to ${to} is an estimate.`,
    ['calls', 'estimated'],
  );
}

/** The sum of its rows is the total. */
export function estimatesCsv({ rows }: Estimates): readonly string[] {
  return [
    csvLine([...heads]),
    ...rows.map(({ reason, platform, model, calls, estimatedUsd }) =>
      csvLine([
        ...[reason ?? '', platform ?? '', model],
        ...[{ number: String(calls) }, { number: estimatedUsd }],
      ]),
    ),
  ];
}
