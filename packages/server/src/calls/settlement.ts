import type { Settle } from '../books/operations.ts';
import type { Basis, CallFacts } from '../books/rows.ts';
import { noTokens } from '../books/usage.ts';
import { cost } from '../catalog/cost.ts';
import { type EstimateReason, firstReason } from '../domain/doubt.ts';
import type { Candidate } from './admission/admit.ts';
import type { AttemptRecord } from './attempts/attempt-record.ts';
import { attemptNote, attemptRows, bookedAs } from './attempts/attempt-rows.ts';
import type { Generated } from './attempts/attempts.ts';
import type { Answered } from './model/operation.ts';

/** What a settlement is made of, besides what the attempts came to. */
export interface SettlementParts {
  readonly facts: CallFacts;
  /** Under which its facts count the call. */
  readonly first: Candidate;
  readonly generated: Generated;
  /** `OK`, or the code that the caller got. */
  readonly code: string;
  /** Whether the user got the answer, or can still collect it. */
  readonly isReceived: boolean;
  /** Set where the user pays for so much of a stream, whatever became of the rest of it. */
  readonly deliveredBytes?: number | undefined;
  /** The bytes of all that the model has read as text. */
  readonly promptBytes: () => number;
  readonly endedAt: number;
}

/** The settlement of a call: what its attempts cost together, and what of it the wallet pays. */
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

/** How the cost of these attempts together is known. */
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
 * The wallet pays for the answered attempt alone. Without counts it pays for what was read and
 * written, or delivered of it, at three bytes a token: an estimate of the most that it could cost
 * is the app's matter.
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

/** What of an answer the user pays for; undefined for nothing at all. */
function writtenBytesOf({ deliveredBytes, isReceived, generated }: SettlementParts) {
  if (deliveredBytes !== undefined) return () => deliveredBytes;
  const { outcome } = generated.last;
  if (!isReceived || outcome.kind !== 'answered') return undefined;
  return () => answerBytesOf(outcome);
}

/** What the model wrote: text, and the names and inputs of tool calls. */
function answerBytesOf({ content }: Answered): number {
  let bytes = 0;
  for (const part of content) {
    if (part.type === 'text') bytes += Buffer.byteLength(part.text);
    if (part.type === 'tool-call') bytes += Buffer.byteLength(part.toolName + part.input);
  }
  return bytes;
}
