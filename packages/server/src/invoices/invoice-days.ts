import { createHash } from 'node:crypto';
import type { InvoiceLine } from './invoice-line.ts';
import type { Tally } from './tally.ts';

export interface DayFigure {
  readonly hash: string;
  readonly lineCount: number;
  /** Of its lines, pico-USD. */
  readonly total: bigint;
}

const linesAtOnce = 1_000;

export function daysOf({ linesOf, sumOf }: Pick<Tally, 'linesOf' | 'sumOf'>) {
  return {
    async figureOf(day: string): Promise<DayFigure> {
      const { lineCount, total } = sumOf(day);
      const hash = createHash('sha256');
      for (let from = 0; from < lineCount; from += linesAtOnce) {
        const texts = linesOf(day, from, linesAtOnce).map((line) => JSON.stringify(rowOf(line)));
        hash.update(`${from === 0 ? '' : '\n'}${texts.join('\n')}`);
      }
      return { hash: hash.digest('hex'), lineCount, total };
    },
    /** Both databases read an object's entries as rows. */
    async rowsOf(day: string, from: number, count: number): Promise<string> {
      const lines = linesOf(day, from, count);
      // Without a quantity a row has null.
      const rows = lines.map((line) => [
        ...rowOf(line).with(quantityAt, line.quantity?.toString() ?? null),
      ]);
      return JSON.stringify({ ...rows });
    },
  };
}

const quantityAt = 5;

/** The figure's hash is of these texts: changing them changes every hash. */
function rowOf(line: InvoiceLine): readonly (string | null)[] {
  const { project, app, kind, model, tokenType, quantity, amount, tolerance } = line;
  return [...[project, app, kind, model, tokenType], ...[quantity, amount, tolerance].map(String)];
}
