/** How long a budget lasts until it begins anew: a UTC day or a UTC month. */
export const budgetSpans = ['day', 'month'] as const;
export type BudgetSpan = (typeof budgetSpans)[number];

/** What a spent budget does: it refuses calls, or counts those that it would have refused. */
export const budgetModes = ['enforce', 'shadow'] as const;
export type BudgetMode = (typeof budgetModes)[number];

/** A cap beside an app's own day, as the store has it: one span of one scope. */
export interface BudgetDefinition {
  /** `app:NAME`, `group:NAME`, `key:LINEAGE`, or `users:APP` for each user of an app. */
  readonly scope: string;
  readonly span: BudgetSpan;
  readonly capPicoUsd: bigint;
  readonly mode: BudgetMode;
  /** Whether callers are told a group's amounts. */
  readonly isVisible: boolean;
  /** The apps of a group, or all there are; undefined for what is no group. */
  readonly members: readonly string[] | 'all' | undefined;
  /** Whether the configuration file declares it, or a command made it. */
  readonly origin: 'file' | 'command';
  /** When it was first set: keys and users count from then on. */
  readonly sinceMs: number;
}

/** One entry of `budgets`: what several apps may spend together. */
export interface BudgetConfig {
  readonly name: string;
  readonly apps: readonly string[] | 'all';
  /** Undefined where days have no cap; one of the two has. */
  readonly dailyPicoUsd: bigint | undefined;
  readonly monthlyPicoUsd: bigint | undefined;
  readonly mode: BudgetMode;
  readonly isVisible: boolean;
}

/** A cap that a call is held to, in the period that it falls into. */
export interface ScopeCap {
  readonly scope: string;
  /** A UTC day or month, as the span says. */
  readonly period: string;
  readonly cap: bigint;
  readonly mode: BudgetMode;
  /** When the store was restored that has closed it; undefined while it is open. */
  readonly closedAt?: number | undefined;
}

/** Whose call it is, as budgets see it, and when it is made. */
export interface ScopedCall {
  readonly app: string;
  /** The API key, by its id; undefined for what no key asks for. */
  readonly keyId: string | undefined;
  readonly userId: string | undefined;
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
}
