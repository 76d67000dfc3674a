import { larger } from '@model-gateway/server/lib/money';
import type { BudgetCheck } from './books/books.ts';

/** What a budget has counted, against the calls of its members. */
export interface BudgetVerdict {
  readonly name: string;
  readonly checks: number;
  /** At the worst check: by what it has counted less than its calls come to. */
  readonly lostPicoUsd: bigint;
  /** And by what more: a call counted twice, or of others. */
  readonly doubledPicoUsd: bigint;
  /** By what it had reserved more or less than its running calls. */
  readonly wronglyHeldPicoUsd: bigint;
  /** Each check that found something. */
  readonly found: readonly string[];
}

/** Sorts the checks by budget, and keeps the worst of each. */
export function judgeBudgets(checks: readonly BudgetCheck[]): readonly BudgetVerdict[] {
  const byName = Map.groupBy(checks, ({ name }) => name);
  return [...byName].map(([name, own]) => {
    const worst = (amountOf: (check: BudgetCheck) => bigint) =>
      own.map(amountOf).reduce(larger, 0n);
    return {
      ...{ name, checks: own.length },
      lostPicoUsd: worst(lostOf),
      doubledPicoUsd: worst(doubledOf),
      wronglyHeldPicoUsd: worst(wronglyHeldOf),
      found: own.flatMap((check) => (isSound(check) ? [] : [sentenceOf(check)])),
    };
  });
}

/** Whether nothing of it was lost, doubled or reserved wrongly. */
export function isSoundBudget({ found }: BudgetVerdict): boolean {
  return found.length === 0;
}

function lostOf({ leastPicoUsd, countedPicoUsd }: BudgetCheck): bigint {
  return larger(0n, leastPicoUsd - countedPicoUsd);
}

function doubledOf({ mostPicoUsd, countedPicoUsd }: BudgetCheck): bigint {
  return larger(0n, countedPicoUsd - mostPicoUsd);
}

function wronglyHeldOf({ runningPicoUsd, heldPicoUsd }: BudgetCheck): bigint {
  return larger(runningPicoUsd - heldPicoUsd, heldPicoUsd - runningPicoUsd);
}

function isSound(check: BudgetCheck): boolean {
  return [lostOf, doubledOf, wronglyHeldOf].every((amountOf) => amountOf(check) === 0n);
}

function sentenceOf(check: BudgetCheck): string {
  const { name, when, leastPicoUsd, mostPicoUsd, countedPicoUsd } = check;
  const { runningPicoUsd, heldPicoUsd } = check;
  const spent = leastPicoUsd === mostPicoUsd ? `${leastPicoUsd}` : `${leastPicoUsd}–${mostPicoUsd}`;
  return `${name} ${when}: spent ${countedPicoUsd} pico-USD, by its calls ${spent}; reserved ${heldPicoUsd}, by its calls ${runningPicoUsd}`;
}
