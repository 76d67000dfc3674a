import type { Usage } from '@model-gateway/contract';
import type { AuditLine } from '../../books/audit-line.ts';
import type { Attempt, Basis, CallFacts, CallRecord, Hold } from '../../books/rows.ts';
import { type Scoped, scopeKeyFrom, scopeKeysIn } from '../../books/scope.ts';
import type { OperatorPrice } from '../../catalog/model-entry.ts';
import { budgetScopeOf } from '../../ledger/budget-scope.ts';
import { requestIdOf } from '../../lib/id.ts';
import { formatCredits, formatUsd } from '../../lib/money.ts';
import { type AttemptDocument, attemptDocument } from './attempt-document.ts';

/** What is known of a call from its admission on. */
interface CallHead {
  readonly id: string;
  /** The gateway's own id of its request; null for calls of versions that made another for it. */
  readonly gatewayRequestId: string | null;
  /** The trace that its request is in; missing where it is in none. */
  readonly traceId?: string;
  readonly app: string;
  /** The API key that made it, as `keys list` names it; null where that was not noted. */
  readonly keyId: string | null;
  /** The client's network, shortened, and the platform that was asked last; null like the key. */
  readonly remote: string | null;
  readonly platform: string | null;
  /** The UTC day whose budget pays. */
  readonly day: string;
  /** Null where no user was named. */
  readonly userId: string | null;
  readonly route: string;
  readonly model: string;
  /** What it is counted in beside the app's day, with the period; missing where nothing is. */
  readonly scopes?: readonly string[];
}

/** A running call: who holds how much. */
export interface HoldDocument extends CallHead {
  readonly state: 'running';
  /** Held in the app's budget: the most that the call can cost. */
  readonly heldUsd: string;
  /** Held in the user's wallet, the monthly grant first; null where no wallet pays. */
  readonly wallet: WalletDocument | null;
  /** Further maxima that were added for attempts whose predecessor may have been billed. */
  readonly extensions: number;
  readonly instanceId: string;
  readonly startedAt: string;
  readonly expiresAt: string;
}

/** The parts of a wallet's money, as USD, and as the credits that the month's wallet is in. */
export interface WalletDocument {
  readonly grantUsd: string;
  readonly topUpUsd: string;
  /** Missing where the store has no wallet of that month. */
  readonly credits?: { readonly grant: string; readonly topUp: string };
}

/** A finished call. */
export interface CallDocument extends CallHead {
  readonly state: 'finished';
  /** `OK`, the code that was answered, or `LOST` when its process was gone. */
  readonly code: string;
  readonly usage: Usage;
  readonly costUsd: string;
  /** The part of `costUsd` that no platform has confirmed. */
  readonly estimatedUsd: string;
  readonly basis: Basis;
  /** Why `estimatedUsd` is an estimate; null where nothing is, and where it was not noted. */
  readonly estimateReason: string | null;
  /** What was held for it when it ended, whatever was put right since. */
  readonly heldUsd: string;
  /** The process that had it; null where that was not noted. */
  readonly instanceId: string | null;
  /** What the user's wallet paid; null where no wallet pays. */
  readonly wallet: WalletDocument | null;
  /** The price that it was admitted with; null for an unpriced model. */
  readonly price: PriceDocument | null;
  /** The platform's id of the request, not the gateway's; null when it gave none. */
  readonly requestId: string | null;
  readonly attempts: readonly AttemptDocument[];
  /** What operators changed of it, in order. */
  readonly corrections: readonly CorrectionDocument[];
  readonly startedAt: string;
  readonly endedAt: string;
}

/** Who put a call's record right, when, from what to what, and why. */
export interface CorrectionDocument {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  /** Null where there was no record before. */
  readonly fromUsd: string | null;
  readonly toUsd: string | null;
  readonly reason: string | null;
  readonly reference: string | null;
}

/** A price by its version; the same rates of a model have the same version everywhere. */
export interface PriceDocument extends OperatorPrice {
  readonly version: string;
  /** The tier and the region that it is of; missing where the row has no others. */
  readonly tier?: string;
  readonly region?: string;
}

/** What `holds list` and `calls show` print of a running call. */
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

/** A call's record, and what else is known of it. */
interface Shown {
  readonly call: CallRecord;
  readonly attempts: readonly Attempt[];
  readonly lines: readonly AuditLine[];
}

/** What `calls show` prints of a finished call. */
export function callDocument(
  { call, attempts, lines }: Shown,
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
  };
}

function correctionDocument(line: AuditLine): CorrectionDocument {
  const { at, actor, action, before, after, reason, reference } = line;
  return {
    ...{ at: isoOf(at), actor, action, fromUsd: before ?? null, toUsd: after ?? null },
    ...{ reason: reason ?? null, reference: reference ?? null },
  };
}

function headOf(call: CallFacts & Scoped): CallHead {
  const { callId, trace, app, keyId, remote, platform, day, userId, route, model } = call;
  const scopes = scopeKeysIn(call.scopes).map(scopeText);
  return {
    id: callId,
    // Versions that did not note the platform had ids of their own for calls.
    gatewayRequestId: platform === undefined ? null : requestIdOf(callId),
    ...(trace === undefined ? {} : { traceId: trace.slice(0, trace.indexOf('-')) }),
    ...{ app, keyId: keyId ?? null, remote: remote ?? null, platform: platform ?? null },
    ...{ day, userId: userId ?? null, route, model },
    ...(scopes.length === 0 ? {} : { scopes }),
  };
}

/** `group-month:research 2026-11`. */
function scopeText(text: string): string {
  const key = scopeKeyFrom(text);
  return `${budgetScopeOf(key)} ${key.period}`;
}

/** An app that meters no credits has no month in its calls, and no wallet behind them. */
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
