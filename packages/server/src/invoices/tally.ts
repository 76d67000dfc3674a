import { picoUsdMax } from '../lib/money.ts';
import { InvoiceError } from './invoice-error.ts';
import type { InvoiceLine } from './invoice-line.ts';
import { createPackedLines, type LineSums } from './packed-lines.ts';

export interface Invoice {
  /** In order; a day without a line costs nothing. */
  readonly days: readonly string[];
  readonly lineCount: number;
  /** Sum of all lines, pico-USD. */
  readonly total: bigint;
  /** Amounts with more than 12 decimals, rounded half up. */
  readonly rounded: number;
  readonly skipped: number;
  readonly isClosed: boolean;
}

/** Memory grows with the number of different lines, not rows. */
export interface Tally {
  /** The source covers this day, even without a line. */
  day(day: string): void;
  add(line: InvoiceLine): void;
  round(): void;
  skip(): void;
  open(): void;
  finish(): Invoice;
  /** Ordered by the JSON of their names. */
  linesOf(day: string, from: number, count: number): readonly InvoiceLine[];
  /** The sum is in pico-USD. */
  sumOf(day: string): { readonly lineCount: number; readonly total: bigint };
}

/** More than the projects, models and days of any company. */
export const linesMax = 500_000;

/** Its functions throw an InvoiceError above a limit. */
export function createTally(): Tally {
  const lines = createPackedLines(linesMax + 1);
  const days = new Map<string, DaySum>();
  const counts = { rounded: 0, skipped: 0, isClosed: true };
  let order: Uint32Array | undefined;
  return {
    day: (day) => void sumOf(day),
    add(line) {
      const before = lines.count();
      const index = lines.indexFor(line);
      if (lines.count() > linesMax) {
        throw new InvoiceError(`more than ${linesMax} different lines; import fewer days at once`);
      }
      const isNew = lines.count() > before;
      lines.setSums(index, isNew ? line : sumsOf(lines.sumsAt(index), line));
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
    const existing = days.get(day) ?? { start: 0, lineCount: 0, total: 0n };
    if (existing.lineCount === 0) days.set(day, existing);
    return existing;
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
  /** Index of its first line among all lines in order. */
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
    throw new InvoiceError(`the ${name} of ${line.project} on ${line.day} exceed 64 bits`);
  }
  return { quantity, amount, tolerance: tolerance < picoUsdMax ? tolerance : picoUsdMax };
}

/** `where` names file and line. Throws an InvoiceError. */
export type ReadRow = (where: string, fields: readonly string[]) => void;
