import { hasNul, nulProblem } from '../lib/nul.ts';
import { InvoiceError } from './invoice-error.ts';
import type { InvoiceLine } from './invoice-line.ts';
import { createNumberRows, grow, growing } from './number-rows.ts';

export type LineSums = Pick<InvoiceLine, 'quantity' | 'amount' | 'tolerance'>;

export interface PackedLines {
  count(): number;
  /** Adds a new line with sums of 0. */
  indexFor(line: InvoiceLine): number;
  at(index: number): InvoiceLine;
  sumsAt(index: number): LineSums;
  setSums(index: number, sums: LineSums): void;
  /** By day, then by the JSON of the other names. */
  ordered(): Uint32Array;
}

const fields = ['day', 'project', 'app', 'kind', 'model', 'tokenType'] as const;
const sumsWidth = 3;
const unknown = -(2n ** 63n);

/** Arrays of numbers, because objects need many times the memory. */
export function createPackedLines(linesMax: number): PackedLines {
  const texts = createTexts();
  const names = createNumberRows(fields.length, linesMax);
  const buffer = growing(sumsWidth * 8, linesMax);
  const sums = new BigInt64Array(buffer);
  return { count: names.count, indexFor, at, sumsAt, setSums, ordered };

  function indexFor(line: InvoiceLine): number {
    const index = names.indexFor(fields.map((field) => texts.numberOf(line[field])));
    if (index * sumsWidth === sums.length) grow(buffer);
    return index;
  }

  function at(index: number): InvoiceLine {
    const name = (column: number) => texts.textOf(names.numberAt(index, column));
    return {
      ...{ day: name(0), project: name(1), app: name(2), kind: name(3) },
      ...{ model: name(4), tokenType: name(5) },
      ...sumsAt(index),
    };
  }

  function sumsAt(index: number): LineSums {
    const at = index * sumsWidth;
    const quantity = sums[at] ?? 0n;
    return {
      quantity: quantity === unknown ? undefined : quantity,
      amount: sums[at + 1] ?? 0n,
      tolerance: sums[at + 2] ?? 0n,
    };
  }

  function setSums(index: number, { quantity = unknown, amount, tolerance }: LineSums) {
    const at = index * sumsWidth;
    sums[at] = quantity;
    sums[at + 1] = amount;
    sums[at + 2] = tolerance;
  }

  function ordered(): Uint32Array {
    const ranks = texts.ranks();
    const rankAt = (index: number, column: number) => ranks[names.numberAt(index, column)] ?? 0;
    return Uint32Array.from({ length: names.count() }, (_none, index) => index).sort((a, b) => {
      for (let column = 0; column < fields.length; column++) {
        const difference = rankAt(a, column) - rankAt(b, column);
        if (difference !== 0) return difference;
      }
      return 0;
    });
  }
}

function createTexts() {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return { numberOf, textOf: (number: number): string => texts[number] ?? '', ranks };

  function numberOf(text: string): number {
    const existing = numbers.get(text);
    if (existing !== undefined) return existing;
    if (hasNul(text)) throw new InvoiceError(`a name ${nulProblem}`);
    // A slice of the file's text would keep the whole file in memory.
    const own = Buffer.from(text).toString();
    numbers.set(own, texts.length);
    return texts.push(own) - 1;
  }

  function ranks(): Uint32Array {
    const written = texts.map((text) => JSON.stringify(text));
    const order = Uint32Array.from(texts.keys());
    order.sort((a, b) => ((written[a] ?? '') < (written[b] ?? '') ? -1 : 1));
    const ranks = new Uint32Array(texts.length);
    for (const [rank, number] of order.entries()) ranks[number] = rank;
    return ranks;
  }
}
