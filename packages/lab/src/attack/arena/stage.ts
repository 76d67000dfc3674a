import type {
  BudgetCheck,
  CallResult,
  Crowd,
  ExpectedBooking,
  OwnBooks,
  ScopeBook,
  UserBook,
} from '../books/books.ts';
import type { Arena } from './arena.ts';
import type { Callers } from './callers.ts';
import type { Chance } from './chance.ts';
import type { Rates } from './planned-call.ts';

export interface StageParts {
  readonly arena: Arena;
  readonly callers: Callers;
  /** Separate for each stage, so it does not depend on the others. */
  readonly chance: Chance;
  /** The price for reservations of a model without one. */
  readonly highestRates: Rates;
}

export interface StageResult {
  readonly name: string;
  /** One line with the attempt and its outcome. */
  readonly line: string;
  readonly crowd?: Crowd;
  readonly scopes?: readonly ScopeBook[];
  readonly budgets?: readonly BudgetCheck[];
  readonly corrections?: ReadonlyMap<string, bigint>;
  /** Budgets of accounts that have none before the stage. */
  readonly caps?: ReadonlyMap<string, bigint>;
  readonly expectedBookings?: readonly ExpectedBooking[];
  readonly users?: readonly UserBook[];
  readonly books?: readonly OwnBooks[];
  readonly broken?: readonly string[];
}

export type Stage = (parts: StageParts) => Promise<StageResult>;

export function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export function countOf(results: readonly CallResult[], kind: CallResult['kind']): number {
  return results.filter((call) => call.kind === kind).length;
}
