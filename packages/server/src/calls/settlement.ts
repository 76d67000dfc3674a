import type { Settle } from '../books/operations.ts';
import type { Attempt, Basis, CallFacts } from '../books/rows.ts';
import { noTokens, priceVersionOf } from '../books/usage.ts';
import { cost } from '../catalog/cost.ts';
import { type EstimateReason, firstReason } from '../domain/doubt.ts';
import type { Candidate } from './model/candidate.ts';
import type { AttemptRecord, Generated } from './model/generated.ts';
import type { AnsweredAttempt } from './model/operation.ts';

export interface SettlementParts {
  readonly facts: CallFacts;
  readonly first: Candidate;
  readonly generated: Generated;
  readonly code: string;
  readonly isReceived: boolean;
  readonly deliveredBytes?: number | undefined;
  readonly promptBytes: () => number;
  readonly endedAt: number;
  readonly firstAt: number | undefined;
}

export function settlementOf(parts: SettlementParts): Pick<
  Settle,
  'facts' | 'end' | 'answeredBy' | 'attempts' | 'walletCost'
> & {
  readonly isUnpriced: boolean;
} {
  const { facts, generated, code, endedAt, firstAt } = parts;
  const { attempts, last } = generated;
  let total = 0n;
  let estimated = 0n;
  let basis: Basis = 'free';
  const reasons: EstimateReason[] = [];
  for (const attempt of attempts) {
    total += attempt.cost;
    if (attempt.basis === 'estimated') estimated += attempt.cost;
    if (attempt.reason !== undefined) reasons.push(attempt.reason);
    if (attempt.basis !== 'free' && basis !== attempt.basis) {
      basis = basis === 'free' ? attempt.basis : 'mixed';
    }
  }
  const walletCost = walletCostOf(parts);
  const end = {
    code,
    tokens: last.tokens ?? noTokens,
    cost: total,
    estimated,
    basis,
    estimateReason: reasons.length === 0 ? undefined : firstReason(reasons),
    attempts: attemptNote(attempts),
    upstreamId: last.outcome.requestId,
    endedAt,
    firstMs: firstAt && Math.max(0, firstAt - facts.startedAt),
  };
  // The call's record covers a single attempt.
  const rows = attempts.length < 2 ? undefined : attemptRows(facts, attempts);
  const answeredBy = last.candidate === parts.first ? undefined : bookedAs(facts, last);
  const isUnpriced = isUnpricedUse(generated, total);
  return { facts, end, answeredBy, attempts: rows, walletCost, isUnpriced };
}

/** A misspelled name costs nothing, and must not prompt operators for a price. */
function isUnpricedUse({ last }: Generated, costPicoUsd: bigint): boolean {
  const { price } = last.candidate.bound;
  if (price !== undefined && price.isHighestKnown !== true) return false;
  return costPicoUsd > 0n || Object.values(last.tokens ?? noTokens).some((count) => count > 0);
}

/**
 * Charges the answered attempt only. Without counts it charges text read and written, or delivered,
 * at 3 bytes a token; the app bears the maximum estimate.
 */
function walletCostOf(parts: SettlementParts): bigint {
  const { deliveredBytes, isReceived, generated } = parts;
  const { last } = generated;
  const { bound } = last.candidate;
  const { price } = bound;
  const received = isReceived && last.outcome.kind === 'answered' ? last.outcome : undefined;
  const isPaid = deliveredBytes !== undefined || received !== undefined;
  if (!isPaid || price === undefined) return 0n;
  if (last.tokens !== undefined) return last.cost;
  const writtenBytes = deliveredBytes ?? (received === undefined ? 0 : answerBytesOf(received));
  const tokens = {
    ...noTokens,
    inputTokens: Math.min(Math.ceil(parts.promptBytes() / 3), bound.inputTokens),
    outputTokens: Math.min(Math.ceil(writtenBytes / 3), bound.outputTokens),
  };
  return cost(tokens, price);
}

function answerBytesOf({ content }: AnsweredAttempt): number {
  let bytes = 0;
  for (const part of content) {
    if (part.type === 'text') bytes += Buffer.byteLength(part.text);
    if (part.type === 'tool-call') bytes += Buffer.byteLength(part.toolName + part.input);
  }
  return bytes;
}

/** Contains no prompt, answer or platform text. Empty for several attempts, which have rows. */
function attemptNote(attempts: readonly AttemptRecord[]): string {
  const [attempt] = attempts;
  if (attempt === undefined || attempts.length > 1) return '[]';
  const { startedAt, tookMs, outcome, status } = pastOf(attempt);
  return JSON.stringify([
    {
      startedAt,
      tookMs,
      outcome,
      status,
      requestId: attempt.outcome.requestId,
      costPicoUsd: String(attempt.cost),
      isEstimated: attempt.basis === 'estimated',
      isCounted: isCounted(attempt),
      toolUses: attempt.tokens?.toolUses,
      tokenParts: attempt.tokens?.parts,
    },
  ]);
}

function attemptRows(facts: CallFacts, attempts: readonly AttemptRecord[]): readonly Attempt[] {
  return attempts.map((attempt, index) => ({
    callId: facts.callId,
    n: index + 1,
    model: attempt.candidate.model.id,
    ...bookedAs(facts, attempt),
    ...pastOf(attempt),
    tokens: attempt.tokens ?? noTokens,
    toolUses: attempt.tokens?.toolUses && JSON.stringify(attempt.tokens.toolUses),
    tokenParts: attempt.tokens?.parts && JSON.stringify(attempt.tokens.parts),
    isCounted: isCounted(attempt),
    cost: attempt.cost,
    basis: attempt.basis,
    estimateReason: attempt.reason,
    upstreamId: attempt.outcome.requestId,
  }));
}

function bookedAs(
  { usageModel }: Pick<CallFacts, 'usageModel'>,
  { candidate: { model, bound } }: AttemptRecord,
): Pick<CallFacts, 'usageModel' | 'priceVersion' | 'platform'> {
  const { price } = bound;
  // The ledger has assigned the name of an unlisted model. An alias has only listed models.
  const name = model.isListed ? model.id : usageModel;
  const priceVersion = price && priceVersionOf(price);
  return { usageModel: name, priceVersion, platform: model.platform };
}

function pastOf({ outcome, startedAt, tookMs }: AttemptRecord) {
  const isAnswered = outcome.kind === 'answered';
  return {
    startedAt,
    tookMs: Math.round(tookMs),
    outcome: isAnswered ? 'answered' : outcome.code,
    status: isAnswered ? 200 : outcome.status,
  };
}

/** Whether a later price can reprice it. */
function isCounted({ tokens, outcome }: AttemptRecord): boolean {
  const { doubts } = outcome.usage ?? {};
  return (
    tokens !== undefined && doubts?.every(({ reason }) => reason === 'cache-lifetime') === true
  );
}
