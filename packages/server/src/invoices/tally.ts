import { picoUsdMax } from '../lib/money.ts';
import { InvoiceError } from './invoice-error.ts';
import type { InvoiceLine } from './invoice-line.ts';
import { createPackedLines, type LineSums } from './packed-lines.ts';

/** What files or pages of a platform say together. */
export interface Invoice {
  /** Every day that they speak of, in order; one without a line was billed nothing. */
  readonly days: readonly string[];
  /** How many lines all days have together. */
  readonly lineCount: number;
  /** Of all lines, pico-USD. */
  readonly total: bigint;
  /** Amounts with more than 12 decimals, which were rounded half up. */
  readonly rounded: number;
  /** Rows that are no usage of models: other services, taxes, credits. */
  readonly skipped: number;
  /** Whether the platform says that it will not change any of it. */
  readonly isClosed: boolean;
}

/** Adds up lines, so that a month of rows needs as much memory as it has different lines. */
export interface Tally {
  /** A day that is spoken of, with or without a line. */
  day(day: string): void;
  add(line: InvoiceLine): void;
  round(): void;
  skip(): void;
  open(): void;
  finish(): Invoice;
  /** The lines of a day from one on, so many at most: by the JSON of their names. */
  linesOf(day: string, from: number, count: number): readonly InvoiceLine[];
  /** How many lines a day has, and their sum, pico-USD. */
  sumOf(day: string): { readonly lineCount: number; readonly total: bigint };
}

/** More different lines than any company has projects, models and days for. */
export const linesMax = 500_000;

/** Begins with nothing. Its functions throw an InvoiceError for what is too much. */
export function createTally(): Tally {
  const lines = createPackedLines(linesMax + 1);
  const days = new Map<string, DaySum>();
  const counts = { rounded: 0, skipped: 0, isClosed: true };
  let order: Uint32Array | undefined;
  return {
    day: (day) => void sumOf(day),
    add(line) {
      const before = lines.count();
      const place = lines.placeOf(line);
      if (lines.count() > linesMax) {
        throw new InvoiceError(`more than ${linesMax} different lines: import fewer days at once`);
      }
      const isNew = lines.count() > before;
      lines.setSums(place, isNew ? line : sumsOf(lines.sumsAt(place), line));
      const sum = sumOf(line.day);
      if (isNew) sum.lineCount += 1;
      sum.total += line.amount;
    },
    round() {
      counts.rounded += 1;
    },
    skip() {
      counts.skipped += 1;
    },
    open() {
      counts.isClosed = false;
    },
    finish() {
      const sums = [...days.values()];
      const total = sums.reduce((sum, day) => sum + day.total, 0n);
      return { days: [...days.keys()].sort(), lineCount: lines.count(), total, ...counts };
    },
    sumOf,
    linesOf(day, from, count) {
      order ??= ordered();
      const { start, lineCount } = sumOf(day);
      const end = start + Math.min(from + count, lineCount);
      return Array.from(order.subarray(start + from, end), lines.at);
    },
  };

  function sumOf(day: string): DaySum {
    const found = days.get(day) ?? { start: 0, lineCount: 0, total: 0n };
    if (found.lineCount === 0) days.set(day, found);
    return found;
  }

  function ordered(): Uint32Array {
    let start = 0;
    for (const day of [...days.keys()].sort()) {
      const sum = sumOf(day);
      sum.start = start;
      start += sum.lineCount;
    }
    return lines.ordered();
  }
}

interface DaySum {
  /** The place of its first line among all lines in order. */
  start: number;
  lineCount: number;
  total: bigint;
}

function sumsOf(sums: LineSums, line: InvoiceLine): LineSums {
  const isKnown = sums.quantity !== undefined && line.quantity !== undefined;
  const quantity = isKnown ? sums.quantity + line.quantity : undefined;
  const amount = sums.amount + line.amount;
  const tolerance = sums.tolerance + line.tolerance;
  for (const [name, sum] of Object.entries({ amounts: amount, quantities: quantity ?? 0n })) {
    if (sum <= picoUsdMax && -sum <= picoUsdMax) continue;
    throw new InvoiceError(
      `the ${name} of ${line.project} on ${line.day} are more than 64 bits hold`,
    );
  }
  return { quantity, amount, tolerance: tolerance < picoUsdMax ? tolerance : picoUsdMax };
}
