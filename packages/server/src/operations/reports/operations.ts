import { csvLine } from '../../reports/csv.ts';
import { focusBy, focusLines, focusMetadata, focusVersions } from '../../reports/focus.ts';
import { reportCsv, type SumsDocument, sumsDocument } from '../../reports/report.ts';
import { readVersion } from '../../version.ts';
import { rangeFaults, rangeFields, rangeOf, refuseFaults } from '../description/day-range.ts';
import {
  app,
  asOption,
  FieldFault,
  field,
  flag,
  type Input,
  oneOf,
  optional,
  repeated,
} from '../description/field.ts';
import { type Operating, type Operation, ofType, operation } from '../description/operation.ts';
import { InputError } from '../description/read-input.ts';
import { dollars, printable, tableLines } from '../description/text-lines.ts';
import type { Estimates } from '../documents/reports.ts';
import { readEstimates } from './estimates.ts';
import { readFocus, withVendors } from './focus.ts';
import { jobs } from './job-operations.ts';
import { type Report, type ReportQuery, readReport } from './report.ts';
import { splits, topRows } from './report-fields.ts';
import { spend } from './spend-operations.ts';

const formats = ['table', 'csv', 'json', 'focus'] as const;

const utcOnly = field(
  { type: 'string' },
  {
    ...{ about: 'not supported: days are UTC', placeholder: 'zone' },
    decode(checked): string {
      throw new FieldFault(
        `is not supported: report days are UTC, like budgets and platform bills; sums of days of ${checked} would match neither`,
      );
    },
  },
);

const input = {
  ...rangeFields,
  by: optional(splits(1_000)),
  apps: asOption('app', optional(repeated(app('only this app; repeatable')))),
  top: topRows(9_999_999),
  format: optional(oneOf(formats, `${formats.join(', ')} (default: table)`, 'format')),
  focusVersion: optional(
    oneOf(focusVersions, `${focusVersions.join(' or ')} (default: the newest)`, 'version'),
  ),
  focusMetadata: flag('version and columns of a FOCUS file, as JSON'),
  estimates: flag('estimated costs by reason, platform and model'),
  tz: { ...optional(utcOnly), isHidden: true },
};
type ReportInput = Input<typeof input>;

function check(options: ReportInput): void {
  const { by, top, format, focusVersion, focusMetadata: isMetadata = false } = options;
  const [isFocus, isOfEstimates] = [format === 'focus', options.estimates === true];
  const ownRows = 'must be left out: estimates have their own rows';
  const isDayless = (options.month ?? options.from ?? options.to) === undefined;
  const isSplit = by !== undefined;
  refuseFaults([
    [isOfEstimates && isFocus, 'format', 'must be table, csv or json with --estimates'],
    [isOfEstimates && isSplit, 'by', ownRows],
    [isOfEstimates && top !== undefined, 'top', ownRows],
    [!isFocus && focusVersion !== undefined, 'focusVersion', 'requires --format focus'],
    [!isFocus && isMetadata, 'focusMetadata', 'requires --format focus'],
    [isFocus && isSplit, 'by', `must be left out: focus always splits by ${focusBy}`],
    ...rangeFaults(options),
    [isDayless && !isMetadata, 'month', 'is missing; use --month, or --from and --to'],
  ]);
}

const print = operation({
  name: 'report',
  about: 'report spending for a date range, as a table or a file',
  right: 'spend',
  opens: 'store',
  needs: ['catalog', 'platformFacts'],
  input,
  check,
  example: { month: '2026-11', by: 'app,model', format: 'csv' },
  result: ofType<readonly string[]>(),
  commands: [
    {
      isRaw: true,
      toInput(given, { json }) {
        const { format = json === true ? 'json' : undefined } = given;
        if (json === true && format !== 'json') {
          throw new InputError('format', `must be json with --json; it is ${format}`);
        }
        return format === undefined ? given : { ...given, format };
      },
    },
  ],
  async run(operating, options) {
    const { focusVersion: version, format = 'table' } = options;
    if (options.focusMetadata) return [JSON.stringify(focusMetadata(version, readVersion()))];
    if (options.estimates) return estimateLines(operating, options);
    const { admin, catalog, platformFacts: platforms, progress } = operating;
    const { by = ['app'], apps, top } = options;
    const query = { ...rangeOf(options, admin.clock.now()), by, apps, top };
    if (format === 'focus') {
      const charges = await readFocus(admin, catalog, query, progress);
      return focusLines(charges, {
        company: admin.company,
        platforms: withVendors(platforms),
        ...(version && { version }),
      });
    }
    const result = await readReport(admin, catalog, query, progress);
    if (format === 'csv') return reportCsv(by, result.rows);
    if (format === 'json') return [JSON.stringify(reportDocument(query, result))];
    return reportTable(query, result).map(printable);
  },
  lines: (lines) => lines,
});

async function estimateLines({ admin, progress }: Operating, options: ReportInput) {
  const query = { ...rangeOf(options, admin.clock.now()), apps: options.apps };
  const result = await readEstimates(admin, query, progress);
  if (options.format === 'json') return [JSON.stringify(result)];
  return options.format === 'csv' ? estimatesCsv(result) : estimatesTable(result).map(printable);
}

export const report: readonly Operation[] = [print, ...spend, ...jobs];

const heads = ['reason', 'platform', 'model', 'calls', 'estimatedUsd'] as const;

function estimatesTable({ from, to, rows, totalUsd }: Estimates): readonly string[] {
  const cells = rows.map(({ reason, platform, model, calls, estimatedUsd }) => [
    ...[
      reason ?? 'not recorded',
      platform ?? 'unknown',
      model,
      String(calls),
      dollars(estimatedUsd),
    ],
  ]);
  return tableLines(
    ['reason', 'platform', 'model', 'calls', 'estimated'],
    cells.length === 0 ? [] : [...cells, ['total', '', '', '', dollars(totalUsd)]],
    `No estimated costs from ${from} to ${to}.`,
    ['calls', 'estimated'],
  );
}

/** The rows add up to the total. */
function estimatesCsv({ rows }: Estimates): readonly string[] {
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

function reportDocument({ from, to, by }: ReportQuery, { rows, total, found }: Report) {
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

function reportTable({ from, to, by }: ReportQuery, report: Report): readonly string[] {
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
  const omitted = report.found - report.rows.length;
  return [
    ...tableLines(
      [...by, ...titles],
      rows.length === 0 ? [] : [...rows, total],
      `No calls from ${from} to ${to}.`,
      titles,
    ),
    ...(omitted === 0 ? [] : [`The total includes ${omitted} more rows.`]),
  ];
}
