import type { Arena } from '../arena.ts';
import type { Rates } from '../ask.ts';
import type {
  BudgetCheck,
  Crowd,
  OwnBooks,
  ScopeBook,
  StatedCall,
  ToldCall,
  UserBook,
} from '../books/books.ts';
import type { Callers } from '../callers.ts';
import type { Chance } from '../chance.ts';

/** What a stage is given. */
export interface StageParts {
  readonly arena: Arena;
  readonly callers: Callers;
  /** The stage's own, so that it does not depend on what others do meanwhile. */
  readonly chance: Chance;
  /** What a model without a price is held at. */
  readonly dearest: Rates;
}

/** What a stage came to, besides what stands in the books. */
export interface StageResult {
  readonly name: string;
  /** What was tried, in one line, with what came of it. */
  readonly line: string;
  readonly crowd?: Crowd;
  readonly scopes?: readonly ScopeBook[];
  readonly budgets?: readonly BudgetCheck[];
  readonly corrections?: ReadonlyMap<string, bigint>;
  /** What accounts may spend that have no cap before the stage. */
  readonly caps?: ReadonlyMap<string, bigint>;
  readonly stated?: readonly StatedCall[];
  readonly users?: readonly UserBook[];
  /** Books of stores of its own. */
  readonly books?: readonly OwnBooks[];
  /** Promises that it saw broken, a line each. */
  readonly broken?: readonly string[];
}

/** One way to get past a cap. */
export type Stage = (parts: StageParts) => Promise<StageResult>;

/** 0, 1, 2 … below `count`. */
export function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** How many calls came to that. */
export function countOf(told: readonly ToldCall[], kind: ToldCall['kind']): number {
  return told.filter((call) => call.kind === kind).length;
}
