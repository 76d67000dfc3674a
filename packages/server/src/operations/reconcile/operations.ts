import { AdminError, checkPlatformName } from '../context/admin-error.ts';
import { withOperatorReads } from '../context/context.ts';
import { rangeFields, rangeOf, refuseFaults, requestFaults } from '../description/day-range.ts';
import { optional, text } from '../description/field.ts';
import { type Operating, type Operation, operation } from '../description/operation.ts';
import { dollars, tableLines } from '../description/text-lines.ts';
import { day, month } from '../description/time-fields.ts';
import type {
  ImportedInvoice,
  ReconciledDocument,
  SettledDocument,
} from '../documents/reconcile.ts';
import { fetchInvoice } from './reconcile-fetch.ts';
import { type InvoiceImport, importInvoice, planImport } from './reconcile-import.ts';
import { planSettlement, settleDay } from './reconcile-settle.ts';
import { reconcile } from './reconcile-show.ts';

const show = operation({
  name: 'reconcile show',
  about: 'compare invoices with booked costs, by app and model',
  right: 'money',
  http: ['GET /reconcile'],
  needs: ['catalog', 'platformNames'],
  input: {
    platform: optional(text('platform (default: all with an imported invoice)', 'name')),
    app: optional(text('app (default: all, and costs that belong to no app)', 'app')),
    day: optional(day('UTC day, for example 2026-11-21')),
    ...rangeFields,
  },
  check({ day: only, ...range }) {
    const isTwice = only !== undefined && (range.month ?? range.from ?? range.to) !== undefined;
    refuseFaults([
      [isTwice, 'day', 'cannot be combined with month, from and to'],
      ...requestFaults(range),
    ]);
  },
  example: { month: '2026-11' },
  result: async () => (await import('../documents/reconcile.ts')).ReconciledDocuments,
  run({ admin, catalog, platformNames }, { platform, app, day: only, ...range }) {
    checkPlatformName(platform, platformNames);
    const days = only === undefined ? rangeOf(range, admin.clock.now()) : { from: only, to: only };
    const query = { ...days, platform, app };
    return admin.reportQueue.run(() => reconcile(withOperatorReads(admin), catalog, query));
  },
  failure(rows) {
    const unexplainedRows = rows.filter(({ verdict }) => unexplained.includes(verdict));
    const counts = [...Map.groupBy(unexplainedRows, ({ verdict }) => verdict)];
    if (counts.length === 0) return undefined;
    return `unexplained differences: ${counts.map(([verdict, { length }]) => `${length} ${verdict}`).join(', ')}`;
  },
  lines: reconciledLines,
});

const unexplained: readonly ReconciledDocument['verdict'][] = [
  ...(['over', 'under', 'untagged', 'foreign'] as const),
];

const imported = async () => (await import('../documents/reconcile.ts')).ImportedInvoice;

const fetchDays = operation({
  name: 'reconcile fetch',
  about: "fetch a platform's costs",
  right: 'money',
  kind: 'change',
  http: ['POST /reconcile/fetch'],
  needs: ['platformNames', 'withPlatforms', 'withInvoices'],
  only: 'platform',
  input: {
    platform: text('platform with an adminApiKey', 'name'),
    from: day('first UTC day'),
    to: day('last UTC day'),
  },
  example: { platform: 'sandbox', from: '2026-11-01', to: '2026-11-10' },
  result: imported,
  run({ admin, platformNames, withPlatforms, withInvoices }, { platform: name, ...range }) {
    checkPlatformName(name, platformNames);
    return withPlatforms((platforms) => {
      const platform = platforms.find((each) => each.name === name) ?? { name };
      return withInvoices((read) => fetchInvoice(admin, platform, range, read));
    });
  },
  lines: importedLines,
});

const importFiles = operation({
  name: 'reconcile import',
  about: "import a platform's invoice files, all parts at once",
  right: 'money',
  kind: 'change',
  http: ['POST /reconcile/import'],
  needs: ['platformNames', 'files'],
  input: {
    platform: text('platform of the invoice', 'name'),
    month: optional(month('UTC month of all rows, for example 2026-11')),
  },
  upload: {
    about: 'all parts, or the manifest of the export',
    types: ['text/csv', 'application/x-ndjson', 'application/octet-stream'],
    needs: ['month'],
  },
  example: { platform: 'sandbox' },
  result: imported,
  run: async ({ admin, ...parts }, input) => importInvoice(admin, invoiceOf(parts, input)),
  plan: async ({ admin, ...parts }, input) => {
    return { changes: [], result: await planImport(admin, invoiceOf(parts, input)) };
  },
  lines: importedLines,
});

function invoiceOf(
  { platformNames, files }: Pick<Operating<'platformNames' | 'files'>, 'platformNames' | 'files'>,
  { platform, month: within }: { readonly platform: string; readonly month: string | undefined },
): InvoiceImport {
  checkPlatformName(platform, platformNames);
  checkParts(files.names);
  return {
    platform,
    read: files.read,
    ...(within !== undefined && { within: rangeOf({ month: within }, 0) }),
  };
}

const settle = operation({
  name: 'reconcile settle',
  about: 'adjust the estimates of a final day to the invoice',
  right: 'money',
  kind: 'change',
  http: ['POST /reconcile/settle'],
  needs: ['catalog', 'platformNames'],
  input: {
    day: day('UTC day, for example 2026-11-21'),
    platform: optional(text('platform (default: all)', 'name')),
    app: optional(text('app (default: all)', 'app')),
  },
  example: { day: '2026-11-21' },
  result: async () => (await import('../documents/reconcile.ts')).SettledDocuments,
  run({ admin, catalog, platformNames }, { day: settled, ...only }) {
    checkPlatformName(only.platform, platformNames);
    return settleDay(admin, catalog, settled, only);
  },
  async plan({ admin, catalog, platformNames }, { day: settled, ...only }) {
    checkPlatformName(only.platform, platformNames);
    const result = await planSettlement(admin, catalog, settled, only);
    const changes = result.map(({ platform, app, model, beforeUsd, afterUsd }) => {
      const subject = `${app} on ${platform}, ${settled}, ${model ?? 'all models'}`;
      return { action: 'invoice.settle', subject, before: beforeUsd, after: afterUsd };
    });
    return { changes, result };
  },
  danger: {
    subject: (input) => input.day,
    intent: (planned) => [
      'Estimates will be adjusted to match the invoice:',
      ...settledLines(planned),
    ],
  },
  lines: settledLines,
});

export const reconciling: readonly Operation[] = [fetchDays, importFiles, show, settle];

/** Parts count from 1. A gap means a missing part, and throws an AdminError. */
function checkParts(names: readonly string[]): void {
  const numbered = names.flatMap((name) => {
    const [, start, number] = /^(.+-)(\d{5})\.csv(?:\.gz)?$/.exec(name) ?? [];
    return start === undefined ? [] : [{ start, number: Number(number) }];
  });
  for (const [start, parts] of Map.groupBy(numbered, (part) => part.start)) {
    const numbers = new Set(parts.map(({ number }) => number));
    for (let expected = 1; expected < Math.max(...numbers); expected++) {
      if (numbers.has(expected)) continue;
      const part = `${start}${String(expected).padStart(5, '0')}`;
      throw new AdminError(`the part ${part} is missing; import all parts, or the manifest`, {
        isBadValue: true,
      });
    }
  }
}

function importedLines(imported: ImportedInvoice): readonly string[] {
  const { platform, days, changedDays, lines, totalUsd, roundedAmounts, skippedRows } = imported;
  const range = `${platform} from ${days[0]} to ${days.at(-1)}`;
  if (imported.isRepeated) return [`${range}: already imported. Nothing was changed.`];
  return [
    `${range}: ${dollars(totalUsd)} in ${lines} lines; ${changedDays.length} of ${days.length} days are new or changed.`,
    ...(roundedAmounts === 0
      ? []
      : [`${roundedAmounts} amounts had more than 12 decimals and were rounded.`]),
    ...(skippedRows === 0 ? [] : [`${skippedRows} rows skipped: not model usage.`]),
  ];
}

function reconciledLines(rows: readonly ReconciledDocument[]): readonly string[] {
  const head = [
    ...['day', 'platform', 'app', 'model', 'exact', 'estimated', 'invoice', 'difference'],
    ...['verdict', 'state'],
  ];
  const cells = rows.map((row) => [
    ...[row.day, row.platform, row.app ?? projectsOf(row), row.model ?? 'all'],
    ...[row.exactUsd, row.estimatedUsd, row.invoiceUsd, row.differenceUsd].map(dollars),
    ...[row.verdict, row.isFinal ? 'final' : 'open'],
  ]);
  const none = 'Nothing to compare for these days. Import an invoice first.';
  return tableLines(head, cells, none, ['exact', 'estimated', 'invoice', 'difference']);
}

function projectsOf({ projects }: ReconciledDocument): string {
  return projects.length === 0 ? '-' : `(${projects.join(', ')})`;
}

function settledLines(settled: readonly SettledDocument[]): readonly string[] {
  const head = ['day', 'platform', 'app', 'model', 'calls', 'before', 'after'];
  const rows = settled.map((row) => [
    ...[row.day, row.platform, row.app, row.model ?? 'all', String(row.calls)],
    ...[dollars(row.beforeUsd), dollars(row.afterUsd)],
  ]);
  const none = 'Nothing to settle: no final day has an explained estimate.';
  return tableLines(head, rows, none, ['calls', 'before', 'after']);
}
