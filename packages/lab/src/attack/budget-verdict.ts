import { larger } from '@model-gateway/server/lib/money';
import type { BudgetCheck } from './books/books.ts';

export interface BudgetVerdict {
  readonly name: string;
  readonly checks: number;
  /** At the worst check: counted below the cost of its calls. */
  readonly lostPicoUsd: bigint;
  /** Counted above it: a call counted twice, or another budget's. */
  readonly doubledPicoUsd: bigint;
  readonly wronglyHeldPicoUsd: bigint;
  readonly findings: readonly string[];
}

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
      findings: own.flatMap((check) => (isSound(check) ? [] : [sentenceOf(check)])),
    };
  });
}

export function isSoundBudget({ findings }: BudgetVerdict): boolean {
  return findings.length === 0;
}

function lostOf({ leastPicoUsd, countedPicoUsd }: BudgetCheck): bigint {
  return larger(0n, leastPicoUsd - countedPicoUsd);
}

function doubledOf({ maximumCostPicoUsd, countedPicoUsd }: BudgetCheck): bigint {
  return larger(0n, countedPicoUsd - maximumCostPicoUsd);
}

function wronglyHeldOf({ runningPicoUsd, heldPicoUsd }: BudgetCheck): bigint {
  return larger(runningPicoUsd - heldPicoUsd, heldPicoUsd - runningPicoUsd);
}

function isSound(check: BudgetCheck): boolean {
  return [lostOf, doubledOf, wronglyHeldOf].every((amountOf) => amountOf(check) === 0n);
}

function sentenceOf(check: BudgetCheck): string {
  const { name, when, leastPicoUsd, maximumCostPicoUsd, countedPicoUsd } = check;
  const { runningPicoUsd, heldPicoUsd } = check;
  const spent =
    leastPicoUsd === maximumCostPicoUsd
      ? `${leastPicoUsd}`
      : `${leastPicoUsd}–${maximumCostPicoUsd}`;
  return `${name} ${when}: spent ${countedPicoUsd} pico-USD, by its calls ${spent}; reserved ${heldPicoUsd}, by its calls ${runningPicoUsd}`;
}
