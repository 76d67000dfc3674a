import type { Settle } from '../books/operations.ts';
import type { Basis, CallFacts } from '../books/rows.ts';
import { noTokens } from '../books/usage.ts';
import { cost } from '../catalog/cost.ts';
import { type EstimateReason, firstReason } from '../domain/doubt.ts';
import { attemptNote, attemptRows, bookedAs } from './attempts/attempt-rows.ts';
import type { Candidate } from './model/candidate.ts';
import type { AttemptRecord, Generated } from './model/generated.ts';
import type { Answered } from './model/operation.ts';

export interface SettlementParts {
  readonly facts: CallFacts;
  /** The facts count the call under it. */
  readonly first: Candidate;
  readonly generated: Generated;
  readonly code: string;
  /** Delivered, or still collectable. */
  readonly isReceived: boolean;
  /** Billable bytes of a stream, however it ended. */
  readonly deliveredBytes?: number | undefined;
  /** All text that the model read. */
  readonly promptBytes: () => number;
  readonly endedAt: number;
}

/** Total cost, and the wallet's share. */
export function settlementOf(
  parts: SettlementParts,
): Pick<Settle, 'facts' | 'end' | 'answeredBy' | 'attempts' | 'walletCost'> {
  const { facts, generated, code, endedAt } = parts;
  const { attempts, last } = generated;
  let total = 0n;
  let estimated = 0n;
  const reasons: EstimateReason[] = [];
  for (const attempt of attempts) {
    total += attempt.cost;
    if (attempt.basis === 'estimated') estimated += attempt.cost;
    if (attempt.reason !== undefined) reasons.push(attempt.reason);
  }
  const walletCost = walletCostOf(parts);
  const end = {
    code,
    tokens: last.tokens ?? noTokens,
    cost: total,
    estimated,
    basis: basisOf(attempts),
    estimateReason: reasons.length === 0 ? undefined : firstReason(reasons),
    attempts: attemptNote(attempts),
    upstreamId: last.outcome.requestId,
    endedAt,
  };
  const rows = attemptRows(facts, attempts);
  const answeredBy = last.candidate === parts.first ? undefined : bookedAs(facts, last);
  return { facts, end, answeredBy, attempts: rows, walletCost };
}

function basisOf(attempts: readonly AttemptRecord[]): Basis {
  let billed = 0;
  let estimates = 0;
  for (const { basis } of attempts) {
    if (basis !== 'free') billed += 1;
    if (basis === 'estimated') estimates += 1;
  }
  if (billed === 0) return 'free';
  if (estimates === 0) return 'exact';
  return estimates === billed ? 'estimated' : 'mixed';
}

/**
 * Charges the answered attempt only. Without counts it charges text read and written, or delivered,
 * at three bytes a token; the app bears the maximum estimate.
 */
function walletCostOf(parts: SettlementParts): bigint {
  const { last } = parts.generated;
  const { bound } = last.candidate;
  const { price } = bound;
  const writtenBytes = writtenBytesOf(parts);
  if (writtenBytes === undefined || price === undefined) return 0n;
  if (last.tokens !== undefined) return last.cost;
  const tokens = {
    ...noTokens,
    inputTokens: Math.min(Math.ceil(parts.promptBytes() / 3), bound.inputTokens),
    outputTokens: Math.min(Math.ceil(writtenBytes() / 3), bound.outputTokens),
  };
  return cost(tokens, price);
}

/** Undefined for nothing. */
function writtenBytesOf({ deliveredBytes, isReceived, generated }: SettlementParts) {
  if (deliveredBytes !== undefined) return () => deliveredBytes;
  const { outcome } = generated.last;
  if (!isReceived || outcome.kind !== 'answered') return undefined;
  return () => answerBytesOf(outcome);
}

/** Text, and names and inputs of tool calls. */
function answerBytesOf({ content }: Answered): number {
  let bytes = 0;
  for (const part of content) {
    if (part.type === 'text') bytes += Buffer.byteLength(part.text);
    if (part.type === 'tool-call') bytes += Buffer.byteLength(part.toolName + part.input);
  }
  return bytes;
}
