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
import type { Admitted, RequestSize } from './model/candidate.ts';
import { type CallResult, failed } from './model/result.ts';
import type { CallParts } from './parts.ts';

export type Refused = Extract<ReserveOutcome, { kind: 'refused' }>;

interface Asked extends NamedCall {
  readonly admitted: Admitted;
  readonly size: RequestSize;
}

export async function refusedResult(
  parts: Pick<CallParts, 'clock' | 'budgets' | 'observer' | 'replays'>,
  refused: Refused,
  asked: Asked,
  { app, day }: Pick<CallFacts, 'app' | 'day'>,
): Promise<CallResult> {
  // A budget that a restore has closed rejects whatever its amounts are.
  const isClosed = 'closedAt' in refused && refused.closedAt !== undefined;
  if (!isClosed) parts.observer.callRejected?.(rejectionOf(refused, asked.admitted, { app, day }));
  if (refused.code === 'BUDGET_EXCEEDED') {
    const { scope = { scope: `app:${app}`, period: day }, refusing, needed } = refused;
    const budgets = [scope, ...refusing];
    parts.observer.budgetRefused?.({ app, budgets, neededPicoUsd: needed });
  }
  return failed(refusalOf(parts, refused, asked, await lostCallOf(parts, refused, day)));
}

/** Only where the full budget counts the lost call's estimate. */
async function lostCallOf(
  { replays }: Pick<CallParts, 'replays'>,
  refused: Refused,
  day: string,
): Promise<LostCall | undefined> {
  if (refused.code !== 'BUDGET_EXCEEDED' || refused.earlierCall === undefined) return undefined;
  // Without the store the rejection is as true.
  const record = await replays.recordOf(refused.earlierCall).catch(() => undefined);
  if (record?.code !== lostCode || record.estimated === 0n) return undefined;
  const { scope } = refused;
  const isCounted =
    scope === undefined
      ? record.day === day
      : scopeKeysIn(record.scopes).includes(scopeKeyOf(scope));
  return isCounted ? { callId: record.callId, estimatedPicoUsd: record.estimated } : undefined;
}

/** For codes of no budget, a column or the wallet is the limit. */
function rejectionOf(
  refused: Refused,
  { bound: { price } }: Admitted,
  { app, day }: Pick<CallFacts, 'app' | 'day'>,
): RejectedCall {
  const { code, held: heldPicoUsd, needed: neededPicoUsd } = refused;
  const facts = { app, code, heldPicoUsd, neededPicoUsd, isUnpriced: price === undefined };
  const ofDay = { scope: `app:${app}`, period: day };
  if (code === 'INSUFFICIENT_CREDITS') {
    const none = { budget: undefined, capPicoUsd: undefined, spentPicoUsd: undefined };
    return { ...facts, ...none, leftPicoUsd: refused.available };
  }
  const { spent: spentPicoUsd } = refused;
  if (code === 'INVALID') {
    const leftPicoUsd = larger(0n, picoUsdMax - spentPicoUsd - heldPicoUsd);
    return { ...facts, budget: ofDay, capPicoUsd: undefined, spentPicoUsd, leftPicoUsd };
  }
  const { cap: capPicoUsd, room: leftPicoUsd, scope: budget = ofDay } = refused;
  return { ...facts, budget, capPicoUsd, spentPicoUsd, leftPicoUsd };
}

export function refusalOf(
  { clock, budgets: { isVisible } }: Pick<CallParts, 'clock' | 'budgets'>,
  refused: Refused,
  asked: Asked,
  lost?: LostCall,
): CallError {
  if (refused.code === 'INSUFFICIENT_CREDITS') return creditsRefusal(refused, asked);
  if (refused.code === 'INVALID') return uncountable(refused, asked);
  const { admitted } = asked;
  const isUnpriced = admitted.bound.price === undefined;
  const needs = isUnpriced
    ? 'models without a price are rejected once the budget is used up'
    : `this call could cost $${formatUsd(refused.needed)}${unknownPrice(admitted)}${fitting(asked, refused.room)}`;
  return budgetRefusal(refused, { needs, isUnpriced, isVisible, lost }, clock.now());
}

/** The app has no budget, or the maximum overflows the ledger's columns. */
function uncountable(
  { spent, held, needed }: Extract<Refused, { code: 'INVALID' }>,
  asked: Asked,
): CallError {
  const left = picoUsdMax - spent - held;
  const maxTokens = maxTokensIn(asked);
  const cure =
    maxTokens === undefined ? 'send less text' : `lower ${maxTokens}${fitting(asked, left)}`;
  const message = `This call could cost $${formatUsd(needed)}. With $${formatUsd(spent)} spent today and $${formatUsd(held)} reserved for running calls, it exceeds the largest daily total that the gateway can count, $${formatUsd(picoUsdMax)}; ${cure}.`;
  return new CallError('INVALID', message);
}

function creditsRefusal(
  refused: Extract<Refused, { code: 'INSUFFICIENT_CREDITS' }>,
  asked: Asked,
): CallError {
  const { available, held, needed, picoUsdPerCredit, closedAt } = refused;
  if (closedAt !== undefined) {
    const message = `The wallet is closed because the store was restored at ${isoSeconds(closedAt)} and might lack billed calls. Nothing was charged. An operator can open the wallets with "wallets reopen --all"; those of the next month open automatically.`;
    return new CallError('INSUFFICIENT_CREDITS', message);
  }
  const credits = (amount: bigint) => formatCredits(amount, picoUsdPerCredit);
  const message = `This call could cost ${credits(needed)} credits${fitting(asked, available)}. The wallet has ${credits(available)} credits left, and ${credits(held)} are reserved for running calls. Nothing was charged; top up the wallet, or wait for the monthly reset.`;
  return new CallError('INSUFFICIENT_CREDITS', message);
}

function unknownPrice({ dearest: { bound, model } }: Admitted): string {
  if (bound.price?.isDearest !== true) return '';
  return ` at the highest known rates, because the model ${model.id} has no price`;
}

function fitting(asked: Asked, left: bigint): string {
  const { admitted, size } = asked;
  const { bound, candidates } = admitted;
  const maxTokens = maxTokensIn(asked);
  if (maxTokens === undefined) return ' (send less text)';
  const isPriced = bound.price !== undefined;
  const fits = isPriced ? maxTokensThatFit(size, candidates, (amount) => amount <= left) : 0;
  return fits > 0 ? ` (${maxTokens} ${fits} would fit)` : ` (no ${maxTokens} would fit)`;
}
