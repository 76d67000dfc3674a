import { createHash } from 'node:crypto';
import { InvoiceError } from '../invoices/invoice-error.ts';
import { type InvoiceSource, type ReadInvoice, readInvoice } from '../invoices/read-invoice.ts';
import type { InvoiceLine } from '../invoices/tally.ts';
import { utcDayOf } from '../lib/clock.ts';
import { formatUsd } from '../lib/money.ts';
import { CostsError } from '../platforms/cost-api.ts';
import type { Platform } from '../platforms/port.ts';
import type { InvoiceDay } from '../store/invoice-tables.ts';
import { isDecided, type Statement } from '../store/port.ts';
import {
  type DayRange,
  insertSource,
  putInvoiceDay,
  replaceInvoiceDay,
  selectInvoiceDays,
  selectIsImported,
} from '../store/queries/invoices.ts';
import { AdminError } from './admin-error.ts';
import { auditLine } from './audit-line.ts';
import type { AdminContext } from './context.ts';

export type { InvoiceSource };

/** What is imported of a platform's invoice. */
export interface InvoiceImport {
  readonly platform: string;
  /** All parts, in order. */
  readonly sources: readonly InvoiceSource[];
  /** Set of what was fetched: what comes again says that it is unchanged, where a file does not. */
  readonly range?: DayRange;
}

/** What an import came to. */
export interface ImportedInvoice {
  readonly platform: string;
  /** The days that were read, and those of them whose figure is another one now. */
  readonly days: readonly string[];
  readonly changedDays: readonly string[];
  readonly lines: number;
  readonly totalUsd: string;
  /** Amounts with more than 12 decimals, which were rounded half up. */
  readonly roundedAmounts: number;
  /** Rows that are no usage of models. */
  readonly skippedRows: number;
  readonly sourceHash: string;
  /** These files were imported before: nothing was changed. */
  readonly isRepeated: boolean;
}

/**
 * Replaces what is known of a platform's invoice on the days that the sources speak of, in one
 * transaction. Files that were imported before change nothing. Throws an AdminError for what cannot
 * be read, and has changed nothing then.
 */
export async function importInvoice(
  context: AdminContext,
  invoice: InvoiceImport,
): Promise<ImportedInvoice> {
  const { imported, statements } = await prepare(context, invoice);
  if (statements.length === 0) return imported;
  // Another command has imported the same files at this moment.
  const isWritten = isDecided(statements, await context.store.write(statements));
  return isWritten ? imported : { ...imported, changedDays: [], isRepeated: true };
}

/** Says what an import would come to, and changes nothing. Throws as {@link importInvoice} does. */
export async function planImport(
  context: AdminContext,
  invoice: InvoiceImport,
): Promise<ImportedInvoice> {
  return (await prepare(context, invoice)).imported;
}

/** What an import comes to, and what writes it: nothing for files that were imported before. */
async function prepare(
  context: AdminContext,
  { platform, sources, range }: InvoiceImport,
): Promise<{ readonly imported: ImportedInvoice; readonly statements: readonly Statement[] }> {
  const invoice = await readSources(sources, range === undefined);
  const { days, lines, sourceHash } = invoice;
  checkDays(days, range);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n);
  const read = {
    ...{ platform, days, lines: lines.length, totalUsd: formatUsd(total), sourceHash },
    ...{ roundedAmounts: invoice.rounded, skippedRows: invoice.skipped },
  };
  if (range === undefined && (await context.store.read(selectIsImported(platform, sourceHash)))) {
    return { imported: { ...read, changedDays: [], isRepeated: true }, statements: [] };
  }
  const { statements, changedDays } = await dayStatements(context, platform, invoice);
  const note = noteOf(context, { platform, days, total, sourceHash });
  const source = insertSource(platform, sourceHash, context.clock.now());
  const all = range === undefined ? [source, ...statements, note] : [...statements, note];
  return { imported: { ...read, changedDays, isRepeated: false }, statements: all };
}

/** What a file says is the operator's to put right; what a platform answers is not. */
async function readSources(
  sources: readonly InvoiceSource[],
  isBadValue: boolean,
): Promise<ReadInvoice> {
  try {
    return await readInvoice(sources);
  } catch (error) {
    if (!(error instanceof InvoiceError)) throw error;
    throw new AdminError(`nothing was imported: ${error.message}`, { isBadValue });
  }
}

function checkDays(days: readonly string[], range: DayRange | undefined) {
  if (days.length === 0) {
    const isBadValue = range === undefined;
    throw new AdminError('nothing was imported: no day is in it', { isBadValue });
  }
  const other = range && days.find((day) => day < range.from || day > range.to);
  if (other === undefined) return;
  throw new AdminError(`nothing was imported: the platform answered for ${other} as well`);
}

async function dayStatements(context: AdminContext, platform: string, invoice: ReadInvoice) {
  const { days, lines, sourceHash, isClosed } = invoice;
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const known = await context.store.read(selectInvoiceDays(platform, { from, to }));
  const knownDays = new Map(known.map((one) => [one.day, one]));
  const byDay = Map.groupBy(lines, ({ day }) => day);
  const now = context.clock.now();
  const statements: Statement[] = [];
  const changedDays: string[] = [];
  for (const day of days) {
    const ofDay = (byDay.get(day) ?? []).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
    const figureHash = createHash('sha256').update(ofDay.map(textOf).join('\n')).digest('hex');
    const before = knownDays.get(day);
    const isSame = before?.figureHash === figureHash;
    const changedAt = isSame ? before.changedAt : now;
    const row: InvoiceDay = {
      ...{ platform, day, figureHash, sourceHash, changedAt, seenAt: now },
      // More is billed of a day that has not ended, whatever a file says.
      isClosed: isClosed && day < utcDayOf(now),
    };
    if (isSame) statements.push(putInvoiceDay(row));
    else {
      changedDays.push(day);
      const stored = ofDay.map((line) => ({ ...line, platform }));
      statements.push(...replaceInvoiceDay(row, stored));
    }
  }
  return { statements, changedDays };
}

function textOf(line: InvoiceLine): string {
  const { project, app, kind, model, tokenType, quantity, amount, tolerance } = line;
  return JSON.stringify([
    ...[project, app, kind, model, tokenType],
    ...[quantity, amount, tolerance].map(String),
  ]);
}

function noteOf(
  context: AdminContext,
  invoice: Pick<ImportedInvoice, 'platform' | 'days' | 'sourceHash'> & { readonly total: bigint },
): Statement {
  const { platform, days, total, sourceHash } = invoice;
  return auditLine(context, {
    action: 'invoice.import',
    subject: `${platform} ${days[0]} to ${days.at(-1)}`,
    after: `${formatUsd(total)} by ${sourceHash.slice(0, 16)}`,
  });
}

/**
 * Asks a platform what it bills on these UTC days, both included, and imports that. Throws an
 * AdminError where it cannot be asked, or does not say.
 */
export async function fetchInvoice(
  context: AdminContext,
  { name, costs }: Pick<Platform, 'name' | 'costs'>,
  range: DayRange,
): Promise<ImportedInvoice> {
  if (costs === undefined) {
    throw new AdminError(
      `${name} cannot be asked: only openai and anthropic can, with an adminApiKey; import its files`,
      { isBadValue: true },
    );
  }
  const days = (Date.parse(range.to) - Date.parse(range.from)) / 86_400_000 + 1;
  if (days < 1 || days > fetchDaysMax) {
    throw new AdminError(
      `--from ${range.from} --to ${range.to}: give 1 to ${fetchDaysMax} days, the first one first`,
      { isBadValue: true },
    );
  }
  const pages = await costs.fetch(range.from, range.to).catch((error: unknown) => {
    if (!(error instanceof CostsError)) throw error;
    throw new AdminError(`nothing was changed: ${name} gave ${error.message}`);
  });
  const sources = pages.map((page) => ({ name: page.name, chunks: bytesOf(page.text) }));
  return importInvoice(context, { platform: name, sources, range });
}

/** A year, and a day where it is a leap year. */
const fetchDaysMax = 366;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
