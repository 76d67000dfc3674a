import type { StageResult } from './arena/stage.ts';
import { sum } from './books/spent-caps.ts';
import type { AccountVerdict, Verdict } from './verdict.ts';

export interface Findings {
  readonly verdict: Verdict;
  readonly stages: readonly StageResult[];
  readonly seed: number;
  readonly store: 'sqlite' | 'postgres';
  readonly services: number;
  readonly keep: string | undefined;
}

export function totalOf({ accounts }: Verdict): AccountVerdict {
  const count = (name: CountName) => accounts.reduce((total, each) => total + each[name], 0);
  return {
    name: 'all',
    capPicoUsd: sum(accounts, ({ capPicoUsd }) => capPicoUsd),
    requestedPicoUsd: sum(accounts, ({ requestedPicoUsd }) => requestedPicoUsd),
    billedPicoUsd: sum(accounts, ({ billedPicoUsd }) => billedPicoUsd),
    bookedPicoUsd: sum(accounts, ({ bookedPicoUsd }) => bookedPicoUsd),
    overspendPicoUsd: sum(accounts, ({ overspendPicoUsd }) => overspendPicoUsd),
    falseRefusals: count('falseRefusals'),
    doubled: count('doubled'),
    lost: count('lost'),
    losses: accounts.flatMap(({ losses }) => losses),
    chargedWithoutResponse: count('chargedWithoutResponse'),
    falseExact: count('falseExact'),
    falseBookings: count('falseBookings'),
    heldPicoUsd: sum(accounts, ({ heldPicoUsd }) => heldPicoUsd),
  };
}

type CountName = Exclude<keyof AccountVerdict, 'name' | 'losses' | `${string}PicoUsd`>;
