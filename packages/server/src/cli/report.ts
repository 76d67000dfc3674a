import { type Command, Option } from 'commander';
import { lastDayOfMonth } from '../lib/clock.ts';
import { orNearest } from '../lib/nearest.ts';
import { readEstimates } from '../operations/reports/estimates.ts';
import { estimatesCsv, estimatesTable } from '../operations/reports/estimates-lines.ts';
import { readFocus } from '../operations/reports/focus.ts';
import { reportDocument, reportTable } from '../operations/reports/lines.ts';
import { type Report, type ReportAsked, readReport } from '../operations/reports/report.ts';
import { printable } from '../operations/text-lines.ts';
import { type Dimension, dimensionOf, dimensions } from '../reports/dimensions.ts';
import {
  type FocusParts,
  focusBy,
  focusLines,
  focusMetadata,
  focusVersions,
} from '../reports/focus.ts';
import { reportCsv } from '../reports/report-csv.ts';
import { readVersion } from '../version.ts';
import { catalogOf } from './catalog.ts';
import { type CommandContext, type CommonOptions, UsageError } from './context.ts';
import { createProgress } from './progress.ts';
import { onStore } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay } from './values.ts';

const formats = ['table', 'csv', 'json', 'focus'] as const;

interface ReportOptions extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly month?: string;
  readonly by?: string;
  readonly app?: readonly string[];
  readonly top?: string;
  readonly format?: string;
  readonly tz?: string;
  readonly estimates?: boolean;
  readonly focusVersion?: string;
  readonly focusMetadata?: boolean;
}

/** `report --month M --by app,model`: what calls came to, exactly, as a table or a file. */
export function registerReport(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('report').description('what the calls of some days came to, as a file'),
  )
    .option('--month <month>', 'a UTC month such as 2026-11')
    .option('--from <day>', 'the first UTC day; with --to')
    .option('--to <day>', 'the last UTC day')
    .option('--by <names>', `${dimensions.join(', ')} or tag:NAME, with commas between them`)
    .option('--app <app>', 'only this app; may be repeated', (app, apps: string[] = []) => [
      ...apps,
      app,
    ])
    .option('--top <rows>', 'only so many rows: those that cost most')
    .option('--format <format>', `${formats.join(', ')}; else table`)
    .option('--focus-version <version>', `${focusVersions.join(' or ')} (default: the newest)`)
    .option('--focus-metadata', 'the version and the columns of a FOCUS file, as JSON')
    .option('--estimates', 'costs that are estimates, by reason, platform and model')
    .addOption(new Option('--tz <zone>').hideHelp())
    .action((_options: unknown, command: Command) =>
      report(context, command.optsWithGlobals<ReportOptions>()),
    );
}

async function report(context: CommandContext, options: ReportOptions) {
  const format = formatOf(options);
  if (options.estimates === true) return reportEstimates(context, options, format);
  const focus = focusOf(options, format);
  if (options.focusMetadata === true) {
    return context.print(JSON.stringify(focusMetadata(focus.version, readVersion())));
  }
  const asked = askedOf(options, format);
  const progress = createProgress(context);
  const lines = await onStore(
    context,
    options,
    async (admin, config) => {
      const catalog = await catalogOf(context, config.catalog);
      if (format !== 'focus')
        return linesOf(format, asked, await readReport(admin, catalog, asked, progress));
      const charges = await readFocus(admin, catalog, asked, progress);
      return focusLines(charges, { ...config, ...config.catalog, ...focus });
    },
    { parts: ['catalog'] },
  );
  for (const line of lines) context.print(line);
}

async function reportEstimates(
  context: CommandContext,
  options: ReportOptions,
  format: (typeof formats)[number],
) {
  if (format === 'focus') {
    throw new UsageError('--format: focus has no reasons of estimates; use table, csv or json');
  }
  const other = options.by === undefined ? options.top && '--top' : '--by';
  if (other !== undefined) {
    throw new UsageError(`${other}: estimates have their own rows; leave it out`);
  }
  const wanted = { ...rangeOf(options), apps: options.app };
  const progress = createProgress(context);
  const found = await onStore(context, options, (admin) => readEstimates(admin, wanted, progress));
  const lines = {
    json: () => [JSON.stringify(found)],
    csv: () => estimatesCsv(found),
    table: () => estimatesTable(found).map(printable),
  };
  for (const line of lines[format]()) context.print(line);
}

async function linesOf(
  format: Exclude<(typeof formats)[number], 'focus'>,
  asked: ReportAsked,
  found: Report,
): Promise<readonly string[]> {
  switch (format) {
    case 'json':
      return [JSON.stringify(reportDocument(asked, found))];
    case 'csv':
      return reportCsv(asked.by, found.rows);
    case 'table':
      return reportTable(asked, found).map(printable);
  }
}

function formatOf({ format, json }: ReportOptions): (typeof formats)[number] {
  if (format === undefined) return json === true ? 'json' : 'table';
  const known = formats.find((one) => one === format);
  if (known !== undefined && (json !== true || known === 'json')) return known;
  throw new UsageError(
    known === undefined
      ? `--format: ${JSON.stringify(format)} is none; write ${formats.join(', ')}`
      : `--format: ${known} is no JSON document; leave out --json`,
  );
}

function focusOf(
  { focusVersion, focusMetadata: isMetadata }: ReportOptions,
  format: string,
): Pick<FocusParts, 'version'> {
  if (format !== 'focus' && (focusVersion !== undefined || isMetadata === true)) {
    const name = focusVersion === undefined ? '--focus-metadata' : '--focus-version';
    throw new UsageError(`${name}: add --format focus`);
  }
  if (focusVersion === undefined) return {};
  const version = focusVersions.find((one) => one === focusVersion);
  if (version !== undefined) return { version };
  throw new UsageError(
    `--focus-version: ${JSON.stringify(focusVersion)} is not supported; use ${focusVersions.join(' or ')}`,
  );
}

function askedOf(options: ReportOptions, format: string): ReportAsked {
  if (options.tz !== undefined) {
    throw new UsageError(
      `--tz: ${JSON.stringify(options.tz)}: days are UTC, since budgets and platforms' bills are; sums of other days would match neither`,
    );
  }
  if (format === 'focus' && options.by !== undefined) {
    throw new UsageError(`--by: focus is split by ${focusBy.join(',')} always; leave it out`);
  }
  const by = format === 'focus' ? focusBy : byOf(options.by);
  return { ...rangeOf(options), by, apps: options.app, top: topOf(options.top) };
}

function byOf(text = 'app'): readonly Dimension[] {
  const by = text.split(',').map((name) => {
    const found = dimensionOf(name.trim());
    if (found !== undefined) return found;
    throw new UsageError(`--by: ${JSON.stringify(name)} is none of ${orNearest(name, dimensions)}`);
  });
  if (new Set(by).size < by.length) throw new UsageError(`--by: ${text} names one twice`);
  // A user is one of an app: two apps may have the same name for two people.
  return by.includes('user') && !by.includes('app') ? ['app', ...by] : by;
}

function rangeOf({ month, from, to }: ReportOptions): Pick<ReportAsked, 'from' | 'to'> {
  if (month !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw new UsageError('--month: name a month, or --from and --to, and not both');
    }
    return monthOf(month);
  }
  if (from === undefined || to === undefined) {
    throw new UsageError('report: name --month, or --from and --to');
  }
  const range = { from: readDay('--from', from), to: readDay('--to', to) };
  if (range.from > range.to) throw new UsageError(`--to: ${to} is before --from, ${from}`);
  return range;
}

function monthOf(text: string): Pick<ReportAsked, 'from' | 'to'> {
  const first = `${text}-01`;
  if (!/^\d{4}-\d{2}$/.test(text) || Number.isNaN(Date.parse(first))) {
    throw new UsageError(`--month: ${JSON.stringify(text)} is no month; write one such as 2026-11`);
  }
  return { from: first, to: lastDayOfMonth(text) };
}

function topOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`--top: ${JSON.stringify(text)} is no number of rows from 1 on`);
}
