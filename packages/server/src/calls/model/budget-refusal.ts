import type { FullScope } from '../../books/operations.ts';
import { type ScopeKey, type Span, spanOf } from '../../books/scope.ts';
import { budgetScopeOf, resetMsOf } from '../../ledger/budget-scope.ts';
import { isoSeconds, nextUtcDayMs } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import { CallError } from './call-error.ts';

export interface FullBudget {
  /** Undefined for the app's daily budget. */
  readonly scope: ScopeKey | undefined;
  readonly cap: bigint;
  readonly spent: bigint;
  readonly held: bigint;
  readonly needed: bigint;
  readonly refusing: readonly FullScope[];
  /** When the restore closed it; undefined if it is only full. */
  readonly closedAt?: number;
}

export interface RefusedCall {
  readonly needs: string;
  readonly isUnpriced: boolean;
  /** Whether the caller may learn a group's amounts. */
  readonly isVisible: (scope: ScopeKey) => boolean;
  /** The lost call that this call takes over, if the full budget counts its cost. */
  readonly lost?: LostCall | undefined;
}

export interface LostCall {
  readonly callId: string;
  readonly estimatedPicoUsd: bigint;
}

export function budgetRefusal(full: FullBudget, call: RefusedCall, nowMs: number): CallError {
  const { scope, cap, needed, refusing } = full;
  const budgetScope = budgetScopeOf(scope);
  const span = scope === undefined ? 'day' : spanOf(scope);
  const isTooSmall = (size: bigint) => (call.isUnpriced ? size === 0n : needed > size);
  const others = refusing.map((other) => {
    return `${budgetScopeOf(other)}${isTooSmall(other.cap) ? ' (too small for this call at any time)' : ''}`;
  });
  const also =
    others.length === 0 ? '' : ` Other budgets that cannot cover it: ${others.join(', ')}.`;
  const summary =
    full.closedAt === undefined
      ? `Budget exceeded: ${stateOf(full, span, call)}; ${call.needs}.${lostSentence(call.lost)}`
      : closedSentence(full, span, full.closedAt);
  if (isTooSmall(cap)) {
    const message = `${summary} ${tooLargeMessages[span]}${also}`;
    return new CallError('BUDGET_EXCEEDED', message, { budgetScope });
  }
  const ownMs = scope === undefined ? nextUtcDayMs(nowMs) : resetMsOf(scope);
  const resetsMs = latest([
    ownMs,
    ...refusing.map((other) => (isTooSmall(other.cap) ? undefined : resetMsOf(other))),
  ]);
  return new CallError('BUDGET_EXCEEDED', `${summary} ${resetOf(ownMs, span)}${also}`, {
    budgetScope,
    retryAfterSeconds: resetsMs === undefined ? undefined : (resetsMs - nowMs) / 1000,
  });
}

/** Shows no amounts, because a restored store has lost calls. */
function closedSentence({ scope }: FullBudget, span: Span, closedAt: number): string {
  const kind = span === 'day' ? 'daily budget' : span === 'month' ? 'monthly budget' : 'budget';
  return `Budget exceeded: the ${kind} of ${ownerOf(scope)} is closed because the store was restored at ${isoSeconds(closedAt)} and might lack billed calls. An operator can open it with ${openedBy(scope)}.`;
}

function lostSentence(lost: LostCall | undefined): string {
  if (lost === undefined) return '';
  return ` The amount spent includes an estimate of $${formatUsd(lost.estimatedPicoUsd)} for call ${lost.callId}, a lost earlier attempt of this request.`;
}

/** No command reopens one run; callers create another. */
function openedBy(scope: ScopeKey | undefined): string {
  const [kind = '', name = ''] = scope?.scope.split(':', 2) ?? [];
  const all = '"days reopen --all"';
  if (kind === 'run' || scope === undefined) return all;
  const budget = { group: name, user: `users:${name}` }[kind] ?? scope.scope;
  return `"budgets reopen ${budget}" or ${all}`;
}

/** A hidden group shows only its name. */
function stateOf(full: FullBudget, span: Span, { isVisible }: RefusedCall): string {
  const { scope, cap, spent, held } = full;
  const kind = scope?.scope.split(':', 1)[0];
  const owner = ownerOf(scope);
  const its = { day: 'daily budget', month: 'monthly budget', run: 'budget' }[span];
  if (kind === 'group' && scope !== undefined && !isVisible(scope)) {
    return `the ${its} of ${owner} cannot cover this call`;
  }
  return `${owner} has a ${its} of $${formatUsd(cap)}, with $${formatUsd(spent)} spent and $${formatUsd(held)} reserved for running calls`;
}

function ownerOf(scope: ScopeKey | undefined): string {
  const [kind = '', name = ''] = scope?.scope.split(':', 2) ?? ['app'];
  const owners: Readonly<Record<string, string>> = {
    ...{ app: 'the app', key: 'the API key', group: `the group ${name}` },
    ...{ user: 'this user of the app', run: 'the run' },
  };
  return owners[kind] ?? kind;
}

const tooLargeMessages: Readonly<Record<Span, string>> = {
  day: 'This call can never fit, because its maximum cost exceeds the whole daily budget.',
  month: 'This call can never fit, because its maximum cost exceeds the whole monthly budget.',
  run: 'This call can never fit, because its maximum cost exceeds the whole budget of the run.',
};

function resetOf(resetMs: number | undefined, span: Span): string {
  if (resetMs === undefined) return 'The budget of a run does not reset; create another run.';
  if (span === 'day') return 'The budget resets at 00:00 UTC.';
  return `The budget resets on ${new Date(resetMs).toISOString().slice(0, 10)}, 00:00 UTC.`;
}

/** Undefined if any of the times never comes. */
function latest(times: readonly (number | undefined)[]): number | undefined {
  const defined = times.filter((time) => time !== undefined);
  return defined.length < times.length ? undefined : Math.max(...defined);
}
