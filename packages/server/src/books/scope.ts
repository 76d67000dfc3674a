// Budgets in addition to an app's daily budget, in the units of `rows.ts`.

/** For example `group:research` of `2026-11`. */
export interface ScopeKey {
  readonly scope: string;
  /** A day, a month, or a word for a span without a calendar end. */
  readonly period: string;
}

export interface ScopeList {
  /**
   * JSON array of `SCOPE@PERIOD` in key order; undefined for none. When an operator creates a
   * budget, open reservations get it added.
   */
  readonly scopes: string | undefined;
}

/** `shadow` rejects nothing, and counts the calls that it would have rejected. */
export const scopeModes = ['enforce', 'shadow'] as const;
export type ScopeMode = (typeof scopeModes)[number];

export interface BudgetScope extends ScopeKey {
  readonly cap: bigint;
  readonly mode: ScopeMode;
  /** Undefined if the last call was admitted without being checked against it. */
  admittedCap: bigint | undefined;
  /** Part of `spent` carried over from before the budget; no call lists it. */
  brought: bigint;
  spent: bigint;
  held: bigint;
  estimated: bigint;
  overrun: bigint;
  /** Part of `spent` whose calls no longer have a record. */
  readonly pruned: bigint;
  /** Admitted calls that an enforced budget would have rejected. */
  wouldRefuse: bigint;
  wouldRefuseAmount: bigint;
}

/**
 * Joined or left a budget during a period. All of a member's calls in the period count, whether or
 * not their lists name the budget.
 */
export interface BudgetMember extends ScopeKey {
  readonly app: string;
  /** The period ends the day before `endDay`. */
  readonly firstDay: string;
  readonly endDay: string;
  brought: bigint;
  /** Spent in the budget when it left; undefined for a member. */
  leftSpent: bigint | undefined;
}

/** A `run` never resets. */
export type Span = 'day' | 'month' | 'run';

export function spanOf({ period }: ScopeKey): Span {
  if (/^\d{4}-\d\d-\d\d$/.test(period)) return 'day';
  return /^\d{4}-\d\d$/.test(period) ? 'month' : 'run';
}

export function scopeKeyOf({ scope, period }: ScopeKey): string {
  return `${scope}@${period}`;
}

export function scopeKeyFrom(text: string): ScopeKey {
  const at = text.lastIndexOf('@');
  return { scope: text.slice(0, at), period: text.slice(at + 1) };
}

export function scopeKeysIn(scopes: string | undefined): readonly string[] {
  return scopes === undefined ? none : JSON.parse(scopes);
}

const none: readonly string[] = [];
