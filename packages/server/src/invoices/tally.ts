import { picoUsdMax } from '../lib/money.ts';
import { InvoiceError } from './invoice-error.ts';

/** What a platform bills for a project, a UTC day, a model and a kind of token, pico-USD. */
export interface InvoiceLine {
  readonly day: string;
  /** As the platform names it; empty where it names none. */
  readonly project: string;
  /** What the project's tag says; empty where the platform has no tags, or the row has none. */
  readonly app: string;
  /** `tokens`, or what else is billed, such as `web_search`. */
  readonly kind: string;
  /** As the platform names it; empty where its text is not understood. */
  readonly model: string;
  /** As the platform names it; empty where it says none. */
  readonly tokenType: string;
  /** Whole tokens, rounded half up; undefined where the platform does not say. */
  readonly quantity: bigint | undefined;
  readonly amount: bigint;
  /** How far the amount may be from the truth, as digits were cut off where it was written. */
  readonly tolerance: bigint;
}

/** What files or pages of a platform say together. */
export interface Invoice {
  /** Every day that they speak of, in order; one without a line was billed nothing. */
  readonly days: readonly string[];
  readonly lines: readonly InvoiceLine[];
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
}

/** More different lines than any company has projects, models and days for. */
export const linesMax = 500_000;

/** Begins with nothing. Its functions throw an InvoiceError for what is too much. */
export function createTally(): Tally {
  const lines = new Map<string, InvoiceLine>();
  const days = new Set<string>();
  const counts = { rounded: 0, skipped: 0, isClosed: true };
  return {
    day(day) {
      days.add(day);
    },
    add(line) {
      days.add(line.day);
      const key = keyOf(line);
      const before = lines.get(key);
      lines.set(key, before === undefined ? line : sumOf(before, line));
      if (lines.size > linesMax) {
        throw new InvoiceError(`more than ${linesMax} different lines: import fewer days at once`);
      }
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
    finish: () => ({ days: [...days].sort(), lines: [...lines.values()], ...counts }),
  };
}

function keyOf({ day, project, app, kind, model, tokenType }: InvoiceLine): string {
  return `${day}\n${project}\n${app}\n${kind}\n${model}\n${tokenType}`;
}

function sumOf(a: InvoiceLine, b: InvoiceLine): InvoiceLine {
  const amount = a.amount + b.amount;
  if (amount > picoUsdMax || -amount > picoUsdMax) {
    throw new InvoiceError(`the amounts of ${a.project} on ${a.day} are more than 64 bits hold`);
  }
  const isKnown = a.quantity !== undefined && b.quantity !== undefined;
  return {
    ...a,
    quantity: isKnown ? a.quantity + b.quantity : undefined,
    amount,
    tolerance: a.tolerance + b.tolerance,
  };
}
