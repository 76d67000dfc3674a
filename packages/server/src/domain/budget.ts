/** UTC. */
export const budgetSpans = ['day', 'month'] as const;
export type BudgetSpan = (typeof budgetSpans)[number];

/** `shadow` counts the calls that it would have rejected. */
export const budgetModes = ['enforce', 'shadow'] as const;
export type BudgetMode = (typeof budgetModes)[number];

export interface BudgetDefinition {
  /** `app:NAME`, `group:NAME`, `key:ID` of a rotation's first key, or `users:APP` for each user. */
  readonly scope: string;
  readonly span: BudgetSpan;
  readonly capPicoUsd: bigint;
  readonly mode: BudgetMode;
  readonly isVisible: boolean;
  readonly members: readonly string[] | 'all' | undefined;
  readonly origin: 'file' | 'command';
  readonly sinceMs: number;
}

export interface BudgetConfig {
  readonly name: string;
  readonly apps: readonly string[] | 'all';
  /** Exactly one of the two is set. */
  readonly dailyPicoUsd: bigint | undefined;
  readonly monthlyPicoUsd: bigint | undefined;
  readonly mode: BudgetMode;
  readonly isVisible: boolean;
}

export interface ScopeCap {
  readonly scope: string;
  /** UTC. */
  readonly period: string;
  readonly cap: bigint;
  readonly mode: BudgetMode;
  /** When the closing restore was made; undefined while open. */
  readonly closedAt?: number | undefined;
}

export interface ScopedCall {
  readonly app: string;
  readonly keyId: string | undefined;
  readonly userId: string | undefined;
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
}
