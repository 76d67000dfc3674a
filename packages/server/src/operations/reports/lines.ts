import { type SumsDocument, sumsDocument } from '../../reports/report.ts';
import { dollars, tableLines } from '../description/text-lines.ts';
import type { Report, ReportAsked } from './report.ts';

export function reportDocument({ from, to, by }: ReportAsked, { rows, total, found }: Report) {
  return {
    ...{ from, to, by, found },
    rows: rows.map(({ names, sums }) => ({ ...named(by, names), ...sumsDocument(sums) })),
    total: sumsDocument(total),
  };
}

function named(by: readonly string[], names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(by.map((one, at) => [one, names[at] ?? '']));
}

const columns: readonly (readonly [title: string, read: (sums: SumsDocument) => string])[] = [
  ['calls', ({ calls }) => String(calls)],
  ['errors', ({ errors }) => String(errors)],
  ['input', ({ inputTokens }) => String(inputTokens)],
  ['output', ({ outputTokens }) => String(outputTokens)],
  ['cost', ({ costUsd }) => dollars(costUsd)],
  ['exact', ({ exactUsd }) => dollars(exactUsd)],
  ['estimated', ({ estimatedUsd }) => dollars(estimatedUsd)],
  ['corrected', ({ correctedUsd }) => dollars(correctedUsd)],
  ['unpriced', ({ unpricedUsd }) => dollars(unpricedUsd)],
];

export function reportTable({ from, to, by }: ReportAsked, report: Report): readonly string[] {
  const titles = columns.map(([title]) => title);
  const cells = (names: readonly string[], sums: Report['total']) => {
    const document = sumsDocument(sums);
    return [...names.map((name) => name || '-'), ...columns.map(([, read]) => read(document))];
  };
  const rows = report.rows.map(({ names, sums }) => cells(names, sums));
  const total = cells(
    by.map((_, at) => (at === 0 ? 'total' : '')),
    report.total,
  );
  const left = report.found - report.rows.length;
  return [
    ...tableLines(
      [...by, ...titles],
      rows.length === 0 ? [] : [...rows, total],
      `There was no call from ${from} to ${to}.`,
      titles,
    ),
    ...(left === 0 ? [] : [`${left} more rows are in the total.`]),
  ];
}
