import type { Command } from 'commander';
import type { Parts } from '../config/parts.ts';
import { readInvoice } from '../invoices/read-invoice.ts';
import { lastDayOfMonth, utcDayOf } from '../lib/clock.ts';
import { orNearest } from '../lib/nearest.ts';
import { AdminError } from '../operations/admin-error.ts';
import { importedLines, reconciledLines, settledLines } from '../operations/reconcile/lines.ts';
import { fetchInvoice } from '../operations/reconcile/reconcile-fetch.ts';
import { importInvoice } from '../operations/reconcile/reconcile-import.ts';
import { planSettlement, settleDay } from '../operations/reconcile/reconcile-settle.ts';
import { type ReconciledDocument, reconcile } from '../operations/reconcile/reconcile-show.ts';
import { catalogOf } from './catalog.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
import { type CommandContext, type CommonOptions, UsageError } from './context.ts';
import { invoiceFiles } from './invoice-files.ts';
import { withPlatforms } from './platforms.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay } from './values.ts';

interface ImportOptions extends ChangeOptions {
  readonly platform: string;
  readonly file: readonly string[];
}

interface FetchOptions extends ChangeOptions {
  readonly platform: string;
  readonly from: string;
  readonly to: string;
}

interface SettleOptions extends DangerOptions {
  readonly day: string;
  readonly platform?: string;
  readonly app?: string;
}

interface ShowOptions extends CommonOptions {
  readonly platform?: string;
  readonly app?: string;
  readonly day?: string;
  readonly month?: string;
}

/** `reconcile fetch|import|show|settle`: what platforms bill, beside what is booked. */
export function registerReconcile(program: Command, context: CommandContext): void {
  const group = program
    .command('reconcile')
    .description('what platforms bill, beside what is booked');
  withChangeOptions(group.command('fetch').description('ask a platform what it bills'))
    .requiredOption('--platform <name>', 'a platform with an adminApiKey')
    .requiredOption('--from <day>', 'the first UTC day')
    .requiredOption('--to <day>', 'the last UTC day')
    .action((_options: unknown, command: Command) =>
      fetchDays(context, command.optsWithGlobals<FetchOptions>()),
    );
  withChangeOptions(
    group.command('import').description("read files of a platform's invoice, all parts at once"),
  )
    .requiredOption('--platform <name>', 'whose invoice it is')
    .requiredOption('--file <file...>', 'every part of it, or the manifest of an export')
    .action((_options: unknown, command: Command) =>
      importFiles(context, command.optsWithGlobals<ImportOptions>()),
    );
  withSharedOptions(
    group.command('show').description('compare invoices with what is booked, by app and model'),
  )
    .option('--platform <name>', 'one platform; else all that an invoice is known of')
    .option('--app <app>', 'one app; else all, and what is no app')
    .option('--day <day>', 'a UTC day such as 2026-11-21')
    .option('--month <month>', 'a UTC month such as 2026-11; else this one')
    .action((_options: unknown, command: Command) =>
      show(context, command.optsWithGlobals<ShowOptions>()),
    );
  withDangerOptions(
    group.command('settle').description('book the estimates of a final day as it was billed'),
  )
    .requiredOption('--day <day>', 'a UTC day such as 2026-11-21')
    .option('--platform <name>', 'one platform; else all')
    .option('--app <app>', 'one app; else all')
    .action((_options: unknown, command: Command) =>
      settle(context, command.optsWithGlobals<SettleOptions>()),
    );
}

async function settle(context: CommandContext, options: SettleOptions) {
  const day = readDay('--day', options.day);
  const { platform, app } = options;
  const settled = await onApps(
    context,
    options,
    async (admin, config) => {
      if (platform !== undefined) checkPlatform(config, platform);
      const catalog = await catalogOf(context, config.catalog);
      if (options.dryRun === true) {
        warnOfDryRun(context);
        return planSettlement(admin, catalog, day, { platform, app });
      }
      const planned =
        options.yes === true ? [] : await planSettlement(admin, catalog, day, { platform, app });
      const lines = [
        'This books estimates so that they come to the invoice:',
        ...settledLines(planned),
      ];
      await confirm(context, config, options, { command: 'reconcile settle', lines });
      return settleDay(admin, catalog, day, { platform, app });
    },
    { parts: ['catalog', 'platformNames'] },
  );
  printDocument(context, options, settled, settledLines);
}

async function fetchDays(context: CommandContext, options: FetchOptions) {
  const range = { from: readDay('--from', options.from), to: readDay('--to', options.to) };
  const name = options.platform;
  const imported = await onApps(
    context,
    options,
    (admin, config) => {
      checkPlatform(config, name);
      return withPlatforms(context, config, async (platforms) =>
        fetchInvoice(admin, platforms.get(name) ?? { name }, range),
      );
    },
    { parts: ['platforms', 'platformNames'], only: name },
  );
  printDocument(context, options, imported, importedLines);
}

async function importFiles(context: CommandContext, options: ImportOptions) {
  const sources = invoiceFiles(options.file);
  const imported = await onApps(
    context,
    options,
    (admin, config) => {
      checkPlatform(config, options.platform);
      const read = () => readInvoice(sources);
      return importInvoice(admin, { platform: options.platform, read });
    },
    { parts: ['platformNames'] },
  );
  printDocument(context, options, imported, importedLines);
}

async function show(context: CommandContext, options: ShowOptions) {
  const { app } = options;
  const rows = await onApps(
    context,
    options,
    async (admin, config) => {
      const { platform } = options;
      if (platform !== undefined) checkPlatform(config, platform);
      const catalog = await catalogOf(context, config.catalog);
      const range = rangeOf(options, utcDayOf(admin.clock.now()));
      return reconcile(admin, catalog, { ...range, platform, app });
    },
    { parts: ['catalog', 'platformNames'] },
  );
  printDocument(context, options, rows, reconciledLines);
  const unexplained = rows.filter(({ verdict }) => unexplainedVerdicts.has(verdict));
  if (unexplained.length === 0) return;
  throw new AdminError(`not explained: ${countsOf(unexplained)}`);
}

/** What an operator has to look into. */
const unexplainedVerdicts: ReadonlySet<string> = new Set(['over', 'under', 'untagged', 'foreign']);

function countsOf(rows: readonly ReconciledDocument[]): string {
  const byVerdict = Map.groupBy(rows, ({ verdict }) => verdict);
  return [...byVerdict].map(([verdict, found]) => `${found.length} ${verdict}`).join(', ');
}

/** Throws a UsageError for a name that no platform of the configuration has. */
function checkPlatform({ platformNames }: Pick<Parts, 'platformNames'>, name: string): void {
  if (platformNames.includes(name)) return;
  throw new UsageError(
    `--platform: ${JSON.stringify(name)} is none of ${orNearest(name, platformNames)}`,
  );
}

function rangeOf({ day, month }: ShowOptions, today: string) {
  if (day !== undefined && month !== undefined) {
    throw new UsageError('--day and --month: give one of them');
  }
  if (day !== undefined) return { from: readDay('--day', day), to: day };
  const wanted = month ?? today.slice(0, 7);
  return { from: firstOfMonth(wanted), to: lastDayOfMonth(wanted) };
}

function firstOfMonth(month: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return `${month}-01`;
  throw new UsageError(
    `--month: ${JSON.stringify(month)} is no month; write one such as 2026-11 (UTC)`,
  );
}
