import type {
  BudgetCheck,
  Crowd,
  OwnBooks,
  ScopeBook,
  StatedCall,
  ToldCall,
  UserBook,
} from '../books/books.ts';
import type { Arena } from './arena.ts';
import type { Rates } from './ask.ts';
import type { Callers } from './callers.ts';
import type { Chance } from './chance.ts';

export interface StageParts {
  readonly arena: Arena;
  readonly callers: Callers;
  /** Separate, so it does not depend on other stages. */
  readonly chance: Chance;
  /** The price at which a model without one is held. */
  readonly dearest: Rates;
}

export interface StageResult {
  readonly name: string;
  /** One line with the attempt and its outcome. */
  readonly line: string;
  readonly crowd?: Crowd;
  readonly scopes?: readonly ScopeBook[];
  readonly budgets?: readonly BudgetCheck[];
  readonly corrections?: ReadonlyMap<string, bigint>;
  /** Caps of accounts that have none before the stage. */
  readonly caps?: ReadonlyMap<string, bigint>;
  readonly stated?: readonly StatedCall[];
  readonly users?: readonly UserBook[];
  readonly books?: readonly OwnBooks[];
  readonly broken?: readonly string[];
}

export type Stage = (parts: StageParts) => Promise<StageResult>;

export function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export function countOf(told: readonly ToldCall[], kind: ToldCall['kind']): number {
  return told.filter((call) => call.kind === kind).length;
}
