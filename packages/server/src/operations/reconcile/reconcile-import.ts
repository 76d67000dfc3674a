import { InvoiceError } from '../../invoices/invoice-error.ts';
import type { ReadInvoice } from '../../invoices/read-invoice.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import { isDecided, type Statement } from '../../store/port/port.ts';
import {
  type DayRange,
  deleteFirstInvoiceLines,
  deleteInvoiceDay,
  deleteInvoiceLines,
  insertInvoiceLines,
  insertSource,
  putInvoiceDay,
  selectInvoiceDays,
  selectIsImported,
} from '../../store/queries/invoices.ts';
import type { InvoiceDay } from '../../store/schema/invoice-tables.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { ImportedInvoice } from '../documents/reconcile.ts';

export interface InvoiceImport {
  readonly platform: string;
  readonly read: () => Promise<ReadInvoice>;
  /** Days that the file may contain; undefined: all. */
  readonly within?: DayRange;
  /** Set for a fetch. Unlike a repeated file, an unchanged fetch is recorded. */
  readonly range?: DayRange;
}

/**
 * Replaces whole days; a large day counts as not imported until its last line (ADR 0119). Files
 * imported before change nothing. Throws an AdminError, with nothing changed, for unreadable
 * sources.
 */
export async function importInvoice(
  context: AdminContext,
  invoice: InvoiceImport,
): Promise<ImportedInvoice> {
  const { imported, read, days } = await prepare(context, invoice);
  if (imported.isRepeated) return imported;
  const { platform, range } = invoice;
  const batches = batchesOf(days);
  for (const [at, batch] of batches.entries()) {
    const isLast = at === batches.length - 1;
    const source = insertSource(platform, read.sourceHash, context.clock.now());
    const statements = await writeBatch(context, { platform, read, days: batch });
    if (isLast && range === undefined) statements.unshift(source);
    // False if another command imports the same files at the same time.
    const isWritten = isDecided(statements, await context.store.write(statements));
    if (!isWritten) return { ...imported, changedDays: [], isRepeated: true };
  }
  return imported;
}

/** Throws as {@link importInvoice} does. */
export async function planImport(
  context: AdminContext,
  invoice: InvoiceImport,
): Promise<ImportedInvoice> {
  return (await prepare(context, invoice)).imported;
}

interface DayChange {
  readonly row: InvoiceDay;
  /** Lines to write; 0 for an unchanged figure. */
  readonly lineCount: number;
  readonly isChanged: boolean;
  /** The sum of all lines, in pico-USD. */
  readonly total: bigint;
}

async function prepare(context: AdminContext, invoice: InvoiceImport) {
  const { platform, range, within = range } = invoice;
  const read = await readSources(invoice, range === undefined);
  const { days, lineCount, total, sourceHash } = read;
  checkDays(days, { range, within });
  const shown = {
    ...{ platform, days, lines: lineCount, totalUsd: formatUsd(total), sourceHash },
    ...{ roundedAmounts: read.rounded, skippedRows: read.skipped },
  };
  if (range === undefined && (await context.store.read(selectIsImported(platform, sourceHash)))) {
    return { imported: { ...shown, changedDays: [], isRepeated: true }, read, days: [] };
  }
  const changes = await dayChanges(context, platform, read);
  const changedDays = changes.filter(({ isChanged }) => isChanged).map(({ row }) => row.day);
  return { imported: { ...shown, changedDays, isRepeated: false }, read, days: changes };
}

/** A bad file is the operator's fault; a bad response is the platform's. */
async function readSources({ read }: InvoiceImport, isBadValue: boolean): Promise<ReadInvoice> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof InvoiceError)) throw error;
    throw new AdminError(`nothing was imported: ${error.message}`, { isBadValue });
  }
}

function checkDays(
  days: readonly string[],
  { range, within }: Readonly<Record<'range' | 'within', DayRange | undefined>>,
) {
  const isBadValue = range === undefined;
  if (days.length === 0) {
    throw new AdminError('nothing was imported: the file contains no days', { isBadValue });
  }
  const other = within && days.find((day) => day < within.from || day > within.to);
  if (other === undefined) return;
  const source = isBadValue ? 'the file also contains' : "the platform's response also contains";
  throw new AdminError(`nothing was imported: ${source} ${other}`, { isBadValue });
}

async function dayChanges(context: AdminContext, platform: string, read: ReadInvoice) {
  const { days, sourceHash, isClosed } = read;
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const known = await context.store.read(selectInvoiceDays(platform, { from, to }));
  const knownDays = new Map(known.map((one) => [one.day, one]));
  const now = context.clock.now();
  const changes: DayChange[] = [];
  for (const day of days) {
    const { hash: figureHash, lineCount, total } = await read.figureOf(day);
    const before = knownDays.get(day);
    const isSame = before?.figureHash === figureHash;
    const changedAt = isSame ? before.changedAt : now;
    const row: InvoiceDay = {
      ...{ platform, day, figureHash, sourceHash, changedAt, seenAt: now },
      // The bill of a day that has not ended grows, even if a file marks the day closed.
      isClosed: isClosed && day < utcDayOf(now),
    };
    changes.push({ row, total, lineCount: isSame ? 0 : lineCount, isChanged: !isSame });
  }
  return changes;
}

/** Blocks the ledger for a few milliseconds. */
const linesAtOnce = 2_000;

function batchesOf(days: readonly DayChange[]): readonly (readonly DayChange[])[] {
  const batches: DayChange[][] = [];
  let lines = 0;
  for (const day of days) {
    lines += day.lineCount;
    const batch = batches.at(-1);
    if (batch !== undefined && lines <= linesAtOnce) batch.push(day);
    else {
      batches.push([day]);
      lines = day.lineCount;
    }
  }
  return batches;
}

interface Batch {
  readonly platform: string;
  readonly read: ReadInvoice;
  readonly days: readonly DayChange[];
}

async function writeBatch(context: AdminContext, { platform, read, days }: Batch) {
  const statements: Statement[] = [];
  for (const { row, lineCount, isChanged } of days) {
    const { day } = row;
    statements.push(putInvoiceDay(row));
    if (!isChanged) continue;
    const isLarge = lineCount > linesAtOnce;
    if (isLarge) await clearDay(context, { platform, day });
    else statements.push(deleteInvoiceLines({ platform, day }));
    for (let from = 0; from < lineCount; from += linesAtOnce) {
      const insert = insertInvoiceLines(row, await read.rowsOf(day, from, linesAtOnce));
      if (isLarge) await context.store.write([insert]);
      else statements.push(insert);
    }
  }
  const { sourceHash } = read;
  statements.push(noteOf(context, { platform, days, sourceHash }));
  return statements;
}

/** Until its last line is written, the day counts as not imported. */
async function clearDay(context: AdminContext, day: Pick<InvoiceDay, 'platform' | 'day'>) {
  await context.store.write([deleteInvoiceDay(day)]);
  const step = deleteFirstInvoiceLines(day, linesAtOnce);
  for (;;) {
    const [deleted = 0] = await context.store.write([step]);
    if (deleted === 0) break;
  }
  await context.store.write([deleteInvoiceLines(day)]);
}

function noteOf(
  context: AdminContext,
  { platform, days, sourceHash }: Omit<Batch, 'read'> & Pick<ReadInvoice, 'sourceHash'>,
): Statement {
  const total = days.reduce((sum, day) => sum + day.total, 0n);
  return auditLine(context, {
    action: 'invoice.import',
    subject: `${platform} ${days[0]?.row.day} to ${days.at(-1)?.row.day}`,
    after: `${formatUsd(total)} by ${sourceHash.slice(0, 16)}`,
  });
}
