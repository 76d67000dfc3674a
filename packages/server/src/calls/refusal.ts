import { lostCode } from '../books/expire.ts';
import type { ReserveOutcome } from '../books/operations.ts';
import type { CallFacts } from '../books/rows.ts';
import { scopeKeyOf, scopeKeysIn } from '../books/scope.ts';
import { isoSeconds } from '../lib/clock.ts';
import { formatCredits, formatUsd, larger, picoUsdMax } from '../lib/money.ts';
import type { RejectedCall } from '../lib/observer.ts';
import { maxTokensThatFit } from './admission/bound.ts';
import { maxTokensIn, type NamedCall } from './model/api-names.ts';
import { budgetRefusal, type LostCall } from './model/budget-refusal.ts';
import { CallError } from './model/call-error.ts';
import type { AdmittedModels, RequestSize } from './model/candidate.ts';
import { type CallResult, failed } from './model/result.ts';
import type { CallParts } from './parts.ts';

export type ReserveRefusal = Extract<ReserveOutcome, { kind: 'refused' }>;

interface RefusedRequest extends NamedCall {
  readonly admitted: AdmittedModels;
  readonly size: RequestSize;
}

export async function refusedResult(
  parts: Pick<CallParts, 'clock' | 'budgets' | 'observer' | 'replays'>,
  refused: ReserveRefusal,
  call: RefusedRequest,
  { app, day }: Pick<CallFacts, 'app' | 'day'>,
): Promise<CallResult> {
  // A budget that a restore has closed rejects calls whatever its amounts.
  const isClosed = 'closedAt' in refused && refused.closedAt !== undefined;
  if (!isClosed) parts.observer.callRejected?.(rejectionOf(refused, call.admitted, { app, day }));
  if (refused.code === 'BUDGET_EXCEEDED') {
    const { scope = { scope: `app:${app}`, period: day }, refusing, needed } = refused;
    const budgets = [scope, ...refusing];
    parts.observer.budgetRefused?.({ app, budgets, neededPicoUsd: needed });
  }
  return failed(refusalOf(parts, refused, call, await lostCallOf(parts, refused, day)));
}

/** Only if the full budget counts the lost call's estimate. */
async function lostCallOf(
  { replays }: Pick<CallParts, 'replays'>,
  refused: ReserveRefusal,
  day: string,
): Promise<LostCall | undefined> {
  if (refused.code !== 'BUDGET_EXCEEDED' || refused.earlierCall === undefined) return undefined;
  // Without the store the rejection is still correct.
  const record = await replays.recordOf(refused.earlierCall).catch(() => undefined);
  if (record?.code !== lostCode || record.estimated === 0n) return undefined;
  const { scope } = refused;
  const isCounted =
    scope === undefined
      ? record.day === day
      : scopeKeysIn(record.scopes).includes(scopeKeyOf(scope));
  return isCounted ? { callId: record.callId, estimatedPicoUsd: record.estimated } : undefined;
}

/** For codes without a budget, a column or the wallet is the limit. */
function rejectionOf(
  refused: ReserveRefusal,
  { bound: { price } }: AdmittedModels,
  { app, day }: Pick<CallFacts, 'app' | 'day'>,
): RejectedCall {
  const { code, held: heldPicoUsd, needed: neededPicoUsd } = refused;
  const facts = { app, code, heldPicoUsd, neededPicoUsd, isUnpriced: price === undefined };
  const ofDay = { scope: `app:${app}`, period: day };
  if (code === 'INSUFFICIENT_CREDITS') {
    const none = { budget: undefined, capPicoUsd: undefined, spentPicoUsd: undefined };
    return { ...facts, ...none, remainingPicoUsd: refused.available };
  }
  const { spent: spentPicoUsd } = refused;
  if (code === 'INVALID') {
    const remainingPicoUsd = larger(0n, picoUsdMax - spentPicoUsd - heldPicoUsd);
    return { ...facts, budget: ofDay, capPicoUsd: undefined, spentPicoUsd, remainingPicoUsd };
  }
  const { cap: capPicoUsd, remaining: remainingPicoUsd, scope: budget = ofDay } = refused;
  return { ...facts, budget, capPicoUsd, spentPicoUsd, remainingPicoUsd };
}

export function refusalOf(
  { clock, budgets: { isVisible } }: Pick<CallParts, 'clock' | 'budgets'>,
  refused: ReserveRefusal,
  call: RefusedRequest,
  lost?: LostCall,
): CallError {
  if (refused.code === 'INSUFFICIENT_CREDITS') return creditsRefusal(refused, call);
  if (refused.code === 'INVALID') return uncountable(refused, call);
  const { admitted } = call;
  const isUnpriced = admitted.bound.price === undefined;
  const needs = isUnpriced
    ? 'models without a price are rejected once the budget is used up'
    : `this call could cost $${formatUsd(refused.needed)}${unknownPrice(admitted)}${maxTokensHint(call, refused.remaining)}`;
  return budgetRefusal(refused, { needs, isUnpriced, isVisible, lost }, clock.now());
}

/** The app has no budget, or the maximum overflows the ledger's columns. */
function uncountable(
  { spent, held, needed }: Extract<ReserveRefusal, { code: 'INVALID' }>,
  call: RefusedRequest,
): CallError {
  const remaining = picoUsdMax - spent - held;
  const maxTokens = maxTokensIn(call);
  const cure =
    maxTokens === undefined
      ? 'send less text'
      : `lower ${maxTokens}${maxTokensHint(call, remaining)}`;
  const message = `This call could cost $${formatUsd(needed)}. With $${formatUsd(spent)} spent today and $${formatUsd(held)} reserved for running calls, it exceeds the largest daily total that the gateway can count, $${formatUsd(picoUsdMax)}; ${cure}.`;
  return new CallError('INVALID', message);
}

function creditsRefusal(
  refused: Extract<ReserveRefusal, { code: 'INSUFFICIENT_CREDITS' }>,
  call: RefusedRequest,
): CallError {
  const { available, held, needed, picoUsdPerCredit, closedAt } = refused;
  if (closedAt !== undefined) {
    const message = `The wallet is closed because the store was restored at ${isoSeconds(closedAt)} and might lack billed calls. Nothing was charged. An operator can open the wallets with "wallets reopen --all"; those of the next month open automatically.`;
    return new CallError('INSUFFICIENT_CREDITS', message);
  }
  const credits = (amount: bigint) => formatCredits(amount, picoUsdPerCredit);
  const message = `This call could cost ${credits(needed)} credits${maxTokensHint(call, available)}. The wallet has ${credits(available)} credits left, and ${credits(held)} are reserved for running calls. Nothing was charged; top up the wallet, or wait for the monthly reset.`;
  return new CallError('INSUFFICIENT_CREDITS', message);
}

function unknownPrice({ mostExpensive: { bound, model } }: AdmittedModels): string {
  if (bound.price?.isHighestKnown !== true) return '';
  return ` at the highest known rates, because the model ${model.id} has no price`;
}

function maxTokensHint(call: RefusedRequest, remaining: bigint): string {
  const { admitted, size } = call;
  const { bound, candidates } = admitted;
  const maxTokens = maxTokensIn(call);
  if (maxTokens === undefined) return ' (send less text)';
  const isPriced = bound.price !== undefined;
  const fits = isPriced ? maxTokensThatFit(size, candidates, (amount) => amount <= remaining) : 0;
  return fits > 0 ? ` (${maxTokens} ${fits} would fit)` : ` (no ${maxTokens} would fit)`;
}
