// Caps beside an app's own day, in the units of `rows.ts`.

/** Whose money a cap is over, and of when: `group:research` of `2026-11`. */
export interface ScopeKey {
  readonly scope: string;
  /** A day, a month, or the word of what has no end by the calendar. */
  readonly period: string;
}

/** What is taken of such caps. */
export interface Scoped {
  /**
   * A JSON array of the keys, `SCOPE@PERIOD`, in their order; undefined for none. An operator who
   * makes a cap adds it to the holds that are open.
   */
  readonly scopes: string | undefined;
}

/** What a cap does: `shadow` refuses nothing, and counts what it would have refused. */
export const scopeModes = ['enforce', 'shadow'] as const;
export type ScopeMode = (typeof scopeModes)[number];

/** A cap beside the app's own day, and what was taken of it. */
export interface BudgetScope extends ScopeKey {
  readonly cap: bigint;
  readonly mode: ScopeMode;
  /** As a day's; undefined where the last call was admitted without being held to it. */
  admittedCap: bigint | undefined;
  /** The part of `spent` that was spent before the cap was there: no call has it in its list. */
  brought: bigint;
  spent: bigint;
  held: bigint;
  estimated: bigint;
  overrun: bigint;
  /** The part of `spent` whose calls have no record any more. */
  readonly pruned: bigint;
  /** Calls that were admitted, and would not have been if the cap were enforced. */
  wouldRefuse: bigint;
  wouldRefuseAmount: bigint;
}

/**
 * An app that became a member of a budget in the middle of a period, or has left it in one. Of a
 * member all calls of the period count, whether their lists name the budget or not.
 */
export interface BudgetMember extends ScopeKey {
  readonly app: string;
  /** The days of the period: from the first one to the one before `endDay`. */
  readonly firstDay: string;
  readonly endDay: string;
  /** Its part of the budget's `brought`. */
  brought: bigint;
  /** What its calls had spent in the budget when it left; undefined for a member. */
  leftSpent: bigint | undefined;
}

/** How long a budget lasts until it begins anew; that of a run does not. */
export type Span = 'day' | 'month' | 'run';

/** Of which kind the period of a scope is. */
export function spanOf({ period }: ScopeKey): Span {
  if (/^\d{4}-\d\d-\d\d$/.test(period)) return 'day';
  return /^\d{4}-\d\d$/.test(period) ? 'month' : 'run';
}

/** The key of a row as one text: the period stands after the last `@`. */
export function scopeKeyOf({ scope, period }: ScopeKey): string {
  return `${scope}@${period}`;
}

/** The key that such a text is of. */
export function scopeKeyFrom(text: string): ScopeKey {
  const at = text.lastIndexOf('@');
  return { scope: text.slice(0, at), period: text.slice(at + 1) };
}

/** The keys of a list that a hold and a call carry. */
export function scopeKeysIn(scopes: string | undefined): readonly string[] {
  return scopes === undefined ? none : JSON.parse(scopes);
}

const none: readonly string[] = [];
