// Caps beside an app's own day, in the units of `rows.ts`.

/** For example `group:research` of `2026-11`. */
export interface ScopeKey {
  readonly scope: string;
  /** A day, a month, or a word for a span without an end by the calendar. */
  readonly period: string;
}

export interface ScopeList {
  /**
   * JSON array of `SCOPE@PERIOD` in key order; undefined for none. An operator who makes a cap adds
   * it to open holds.
   */
  readonly scopes: string | undefined;
}

/** `shadow` refuses nothing, and counts what it would have refused. */
export const scopeModes = ['enforce', 'shadow'] as const;
export type ScopeMode = (typeof scopeModes)[number];

export interface BudgetScope extends ScopeKey {
  readonly cap: bigint;
  readonly mode: ScopeMode;
  /** Undefined where the last call was admitted without being held to it. */
  admittedCap: bigint | undefined;
  /** Part of `spent` from before the cap: no call has it in its list. */
  brought: bigint;
  spent: bigint;
  held: bigint;
  estimated: bigint;
  overrun: bigint;
  /** Part of `spent` whose calls have no record any more. */
  readonly pruned: bigint;
  /** Admitted calls that an enforced cap would have refused. */
  wouldRefuse: bigint;
  wouldRefuseAmount: bigint;
}

/**
 * Joined or left a budget in the middle of a period. All of a member's calls in the period count,
 * whether their lists name the budget or not.
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

/** A `run` does not begin anew. */
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
