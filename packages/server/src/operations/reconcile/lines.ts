import { dollars, tableLines } from '../description/text-lines.ts';
import type {
  ImportedInvoice,
  ReconciledDocument,
  SettledDocument,
} from '../documents/reconcile.ts';

export function importedLines(imported: ImportedInvoice): readonly string[] {
  const { platform, days, changedDays, lines, totalUsd, roundedAmounts, skippedRows } = imported;
  const range = `${platform} from ${days[0]} to ${days.at(-1)}`;
  if (imported.isRepeated) return [`${range}: imported before. Nothing was changed.`];
  return [
    `${range}: ${dollars(totalUsd)} in ${lines} lines; ${changedDays.length} of ${days.length} days are new or changed.`,
    ...(roundedAmounts === 0 ? [] : [`${roundedAmounts} amounts had more than 12 decimals.`]),
    ...(skippedRows === 0 ? [] : [`${skippedRows} rows are no usage of models: left out.`]),
  ];
}

export function reconciledLines(rows: readonly ReconciledDocument[]): readonly string[] {
  const head = [
    ...['day', 'platform', 'app', 'model', 'exact', 'estimated', 'invoice', 'difference'],
    ...['verdict', 'state'],
  ];
  const cells = rows.map((row) => [
    ...[row.day, row.platform, row.app ?? projectsOf(row), row.model ?? 'all'],
    ...[row.exactUsd, row.estimatedUsd, row.invoiceUsd, row.differenceUsd].map(dollars),
    ...[row.verdict, row.isFinal ? 'final' : 'open'],
  ]);
  const none = 'There is nothing to compare on these days: import an invoice first.';
  return tableLines(head, cells, none, ['exact', 'estimated', 'invoice', 'difference']);
}

function projectsOf({ projects }: ReconciledDocument): string {
  return projects.length === 0 ? '-' : `(${projects.join(', ')})`;
}

export function settledLines(settled: readonly SettledDocument[]): readonly string[] {
  const head = ['day', 'platform', 'app', 'model', 'calls', 'before', 'after'];
  const rows = settled.map((row) => [
    ...[row.day, row.platform, row.app, row.model ?? 'all', String(row.calls)],
    ...[dollars(row.beforeUsd), dollars(row.afterUsd)],
  ]);
  const none = 'There is nothing to settle: no estimate of a final day is explained.';
  return tableLines(head, rows, none, ['calls', 'before', 'after']);
}
