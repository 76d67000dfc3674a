import type { CallFields, Cost } from '@model-gateway/contract';
import type { Conclusion } from '../books/operations.ts';
import type { Basis } from '../books/rows.ts';
import { noTokens } from '../books/usage.ts';
import { otherModels } from '../ledger/usage-names.ts';
import { formatUsd } from '../lib/money.ts';
import { storeResult } from './idempotency/stored-result.ts';
import { adoptableMs } from './model/adoption.ts';
import type { ReservedCall } from './model/call.ts';
import { CallError } from './model/call-error.ts';
import type { Candidate } from './model/candidate.ts';
import type { FailedAttempt } from './model/failure.ts';
import { failureOf } from './model/failure.ts';
import type { Generated } from './model/generated.ts';
import { sentKey } from './model/idempotency-key.ts';
import type { ParsedAnswer } from './model/operation.ts';
import {
  type CallResult,
  codeOf,
  failed,
  type KeyOutcome,
  keyOutcomeOf,
  receiptOf,
  type StreamEnding,
  usageForCaller,
} from './model/result.ts';
import type { RunParts } from './parts.ts';
import { type SettlementParts, settlementOf } from './settlement.ts';
import { logLateSettlement, logOverrun } from './settlement-lines.ts';

export interface GeneratedAnswer extends Generated {
  readonly parsed: ParsedAnswer | FailedAttempt;
}

/**
 * Returns only after settling. `early`: the error that its caller already received; the result then
 * serves only requests with its key.
 */
export async function conclude<Request extends CallFields>(
  parts: RunParts,
  call: ReservedCall<Request>,
  generated: GeneratedAnswer,
  early: CallError | undefined,
  stream?: StreamEnding,
): Promise<CallResult> {
  const { context } = call;
  const key = context.idempotencyKey;
  const sent = key && sentKey(key);
  const cost = costOf(generated);
  const result = resultOf(call, generated, { cost, stream });
  const ownCode = codeOf(result);
  const keyOutcome = keyOutcomeOf(result, context.app.storeAnswers);
  const code = early?.code ?? ownCode;
  const followers = key === undefined ? 0 : parts.replays.waitingFor(call.facts.callId);
  const isDetached = early !== undefined || context.callerDisconnected.hasFired();
  // A result that its caller receives is stored for no other request. Only answers are stored.
  const isAdoptable = key?.adoption !== undefined && isDetached && keyOutcome === 'answered';
  const isKeyed = sent !== undefined;
  const ending = { code: ownCode, isKeyed, keyOutcome, isAdoptable, early, followers, stream };
  const receipt = receiptOf(ending);
  fillLog(call, generated, { code, cost });
  const startedMs = parts.clock.monotonic();
  const end = { code, ...receipt, isAdoptable, result, keyOutcome, firstAt: stream?.firstAt };
  const { concluded, basis, costPicoUsd, isUnpriced } = await settle(parts, call, generated, end);
  const endedMs = parts.clock.monotonic();
  const settleMs = endedMs - startedMs;
  context.log.settleMs = settleMs;
  const { callId, app, route } = call.facts;
  const { candidate, outcome } = generated.last;
  const { model } = candidate;
  if (isUnpriced) warnOfUnpriced(parts, call, candidate);
  context.trace?.settled({
    ...{ callId, route, model: call.request.model, generated, code, costPicoUsd },
    ...{ isEstimated: cost.estimated, startedMs, endedMs },
  });
  parts.observer.callSettled?.({
    callId,
    app,
    route,
    model: model.id,
    modelLabel: model.isListed ? model.id : otherModels,
    platform: model.platform,
    code,
    basis,
    tokens: generated.last.tokens,
    isUnpriced,
    isDetached: early !== undefined,
    modelMs: context.log.modelMs ?? 0,
    settleMs,
    platformStatus: outcome.kind === 'failed' ? outcome.status : undefined,
  });
  if (early !== undefined) logLateSettlement(parts, call, generated, ownCode);
  const isUnusual = generated.last.doubts.length > 0 || generated.attempts.length > 1;
  if (isUnusual || costPicoUsd > generated.heldPicoUsd)
    logOverrun(parts, call, generated, costPicoUsd);
  // A follower that has received a part of an answer receives the rest of the same answer.
  const hasStreamBegun = stream?.hasBegun === true;
  if (sent !== undefined && concluded.takenOverBy !== undefined && !hasStreamBegun) {
    const { app } = call.facts;
    const keyed = { app, key: sent, callId: concluded.takenOverBy, model: call.request.model };
    // The answer comes from that call, and so do its id and its cost.
    context.log.callId = concluded.takenOverBy;
    return parts.replays.awaitResult(keyed, context.callerDisconnected);
  }
  if (result.kind !== 'failed') return result;
  return withBookedCost(result.error, { generated, concluded, cost, costPicoUsd });
}

function warnOfUnpriced(
  parts: RunParts,
  { facts: { app } }: ReservedCall<CallFields>,
  { model: { id: model, platform }, bound }: Candidate,
) {
  parts.warnOfUnpriced({ model, app, platform, hasRates: bound.price !== undefined });
}

/** After a second BAD_OUTPUT, suggests no third attempt. */
function withBookedCost(
  error: CallError,
  by: SettledAmounts & { readonly generated: Generated; readonly cost: Cost },
): CallResult {
  const { costPicoUsd: picoUsd } = by;
  const isLast = error.code === 'BAD_OUTPUT' && by.concluded.badOutputs > 1;
  const details = {
    ...error.details,
    ...(picoUsd === 0n ? {} : { costUsd: formatUsd(picoUsd) }),
    ...(isLast ? { shouldRetry: false as const } : {}),
  };
  const { tokens } = by.generated.last;
  const billed = { usage: tokens && usageForCaller(tokens), cost: by.cost };
  return failed(new CallError(error.code, error.message, details), billed);
}

interface SettledAmounts {
  readonly concluded: Conclusion;
  readonly costPicoUsd: bigint;
}

async function settle(
  parts: RunParts,
  call: ReservedCall<CallFields>,
  generated: Generated,
  end: Pick<SettlementParts, 'code' | 'isReceived' | 'deliveredBytes' | 'firstAt'> & {
    readonly result: CallResult;
    readonly keyOutcome: KeyOutcome;
    readonly isUnclaimed: boolean;
    readonly isAdoptable: boolean;
  },
): Promise<SettledAmounts & { readonly basis: Basis; readonly isUnpriced: boolean }> {
  const { facts } = call;
  const { app, dialect, idempotencyKey: key } = call.context;
  const { code, isReceived, deliveredBytes, result, keyOutcome } = end;
  const endedAt = parts.clock.now();
  const promptBytes = () => call.operation.promptBytes(call.request);
  const isAdoption = key?.adoption !== undefined;
  const outcome = isAdoption && !end.isAdoptable ? 'forgotten' : keyOutcome;
  const ended = {
    facts,
    first: call.admitted.candidates[0],
    generated,
    code,
    isReceived,
    deliveredBytes,
    promptBytes,
    endedAt,
    firstAt: end.firstAt,
  };
  // Of several bad outputs, only the last that a key pays for stays stored; the ledger counts them.
  const isBadOutput = code === 'BAD_OUTPUT' && app.storeAnswers && !isAdoption;
  const isStored = outcome === 'answered' || isBadOutput;
  const retentionMs = isAdoption ? adoptableMs : parts.limits.idempotencyMs;
  const { isUnpriced, ...settlement } = settlementOf(ended);
  const concluded = await parts.ledger.settle({
    ...settlement,
    outcome,
    isUnclaimed: end.isUnclaimed && facts.month !== undefined ? true : undefined,
    result:
      key && isStored ? storeResult(result, dialect, { key, ...facts }, parts.ring) : undefined,
    answerExpiresAt: key === undefined ? endedAt : parts.keyClock.now() + retentionMs,
  });
  const { basis, cost: costPicoUsd } = settlement.end;
  return { concluded, basis, costPicoUsd, isUnpriced };
}

function resultOf(
  call: ReservedCall<CallFields>,
  { last, attempts, parsed }: GeneratedAnswer,
  { cost, stream }: { readonly cost: Cost; readonly stream: StreamEnding | undefined },
): CallResult {
  const { model } = call.request;
  if (parsed.kind === 'failed') {
    return failed(stream?.error ?? failureOf(parsed, call, attempts.length));
  }
  const { requestId } = last.outcome;
  if (parsed.kind === 'error') {
    return failed(new CallError(parsed.code, parsed.message, { model, requestId }));
  }
  const { output } = parsed;
  const usage = usageForCaller(last.tokens ?? noTokens);
  const { callId } = call.facts;
  return {
    kind: 'done',
    callId,
    model,
    servedBy: call.admitted.alias && last.candidate.model.id,
    upstreamId: requestId,
    output,
    usage,
    cost,
    isReplayed: false,
  };
}

function costOf({ last }: Generated): Cost {
  const isPriced = last.candidate.bound.price !== undefined;
  const usd = isPriced ? formatUsd(last.cost) : null;
  return { usd, estimated: last.basis === 'estimated' };
}

function fillLog(
  call: ReservedCall<CallFields>,
  generated: Generated,
  { code, cost }: { readonly code: string; readonly cost: Cost },
) {
  const { log } = call.context;
  const { last, attempts } = generated;
  log.code = code;
  log.attempts = attempts.length;
  log.modelMs = attempts.reduce((sum, attempt) => sum + attempt.tookMs, 0);
  if (last.tokens !== undefined) {
    log.inputTokens = last.tokens.inputTokens;
    log.outputTokens = last.tokens.outputTokens;
  }
  log.costUsd = cost.usd;
  log.estimated = cost.estimated;
}
