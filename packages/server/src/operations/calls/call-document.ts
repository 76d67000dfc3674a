import type { AuditLine } from '../../books/audit-line.ts';
import type { Attempt, CallFacts, CallRecord, Hold } from '../../books/rows.ts';
import { type ScopeList, scopeKeyFrom, scopeKeysIn } from '../../books/scope.ts';
import { budgetScopeOf } from '../../ledger/budget-scope.ts';
import { requestIdOf } from '../../lib/id.ts';
import { formatCredits, formatUsd } from '../../lib/money.ts';
import type {
  AttemptDocument,
  CallDocument,
  CorrectionDocument,
  HoldDocument,
  PriceDocument,
  WalletDocument,
} from '../documents/calls.ts';
import { timesOf } from './call-summary.ts';

export function holdDocument(hold: Hold, picoUsdPerCredit?: bigint): HoldDocument {
  const { budgetAmount, grantAmount, topupAmount, extensions, instanceId } = hold;
  return {
    ...headOf(hold),
    state: 'running',
    heldUsd: formatUsd(budgetAmount),
    wallet: walletOf(hold, grantAmount, topupAmount, picoUsdPerCredit),
    extensions,
    instanceId,
    startedAt: isoOf(hold.startedAt),
    expiresAt: isoOf(hold.expiresAt),
  };
}

interface CallParts {
  readonly call: CallRecord;
  readonly attempts: readonly Attempt[];
  readonly lines: readonly AuditLine[];
}

export function callDocument(
  { call, attempts, lines }: CallParts,
  price: PriceDocument | null,
  picoUsdPerCredit?: bigint,
): CallDocument {
  return {
    ...headOf(call),
    state: 'finished',
    code: call.code,
    usage: call.tokens,
    costUsd: formatUsd(call.cost),
    estimatedUsd: formatUsd(call.estimated),
    basis: call.basis,
    estimateReason: call.estimateReason ?? null,
    heldUsd: formatUsd(call.heldAtEnd ?? call.held),
    instanceId: call.instanceId ?? null,
    wallet: walletOf(call, call.walletGrant, call.walletTopup, picoUsdPerCredit),
    price,
    requestId: call.upstreamId ?? null,
    attempts: attempts.map(attemptDocument),
    corrections: lines.map(correctionDocument),
    startedAt: isoOf(call.startedAt),
    endedAt: isoOf(call.endedAt),
    ...timesOf(call),
  };
}

function correctionDocument(line: AuditLine): CorrectionDocument {
  const { at, actor, action, before, after, reason, reference } = line;
  return {
    ...{ at: isoOf(at), actor, action, fromUsd: before ?? null, toUsd: after ?? null },
    ...{ reason: reason ?? null, reference: reference ?? null },
  };
}

function headOf(call: CallFacts & ScopeList) {
  const { callId, trace, app, keyId, remote, platform, day, userId, route, model } = call;
  const scopes = scopeKeysIn(call.scopes).map(scopeText);
  return {
    id: callId,
    // Versions that did not record the platform used separate ids for calls.
    gatewayRequestId: platform === undefined ? null : requestIdOf(callId),
    ...(trace === undefined ? {} : { traceId: trace.slice(0, trace.indexOf('-')) }),
    ...{ app, keyId: keyId ?? null, remote: remote ?? null, platform: platform ?? null },
    ...{ day, userId: userId ?? null, route, model },
    ...(scopes.length === 0 ? {} : { scopes }),
  };
}

/** Returns, for example, `group-month:research 2026-11`. */
function scopeText(text: string): string {
  const key = scopeKeyFrom(text);
  return `${budgetScopeOf(key)} ${key.period}`;
}

/** Null for an app without metered credits: its calls have no month. */
function walletOf(
  facts: CallFacts,
  grant: bigint,
  topUp: bigint,
  picoUsdPerCredit: bigint | undefined,
): WalletDocument | null {
  if (facts.month === undefined) return null;
  const usd = { grantUsd: formatUsd(grant), topUpUsd: formatUsd(topUp) };
  if (picoUsdPerCredit === undefined) return usd;
  const inCredits = (amount: bigint) => formatCredits(amount, picoUsdPerCredit);
  return { ...usd, credits: { grant: inCredits(grant), topUp: inCredits(topUp) } };
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

export function attemptDocument(attempt: Attempt): AttemptDocument {
  const { startedAt, tookMs, outcome, status, model, tokens: usage } = attempt;
  return {
    startedAt: new Date(startedAt).toISOString(),
    ...{ tookMs, outcome },
    status: status ?? null,
    requestId: attempt.upstreamId ?? null,
    model,
    priceVersion: attempt.priceVersion ?? null,
    usage,
    costUsd: formatUsd(attempt.cost),
    estimated: attempt.basis === 'estimated',
    estimateReason: attempt.estimateReason ?? null,
  };
}
