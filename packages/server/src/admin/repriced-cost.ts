import assert from 'node:assert';
import type { CallRecord, Tokens } from '../books/rows.ts';
import type { Price } from '../catalog/catalog.ts';
import { cost } from '../catalog/cost.ts';

/** What a call costs at another price, and the part of it that stays an estimate. */
export interface RepricedCost {
  readonly cost: bigint;
  readonly estimated: bigint;
}

/**
 * The cost of a settled call at another price, attempt by attempt; undefined where no attempt has
 * counts. What an attempt without counts was booked with stays: nobody knows what of it was billed.
 */
export function repricedCost(record: CallRecord, price: Price): RepricedCost | undefined {
  const attempts = attemptsOf(record);
  if (attempts.every(({ tokens }) => tokens === undefined)) return undefined;
  let total = 0n;
  let estimated = 0n;
  for (const { tokens, isExact, bookedPicoUsd } of attempts) {
    const amount = tokens === undefined ? bookedPicoUsd : cost(tokens, price);
    total += amount;
    if (!isExact) estimated += amount;
  }
  return { cost: total, estimated };
}

interface BookedAttempt {
  /** Undefined where the platform stated no counts that can be believed. */
  readonly tokens: Tokens | undefined;
  /** Whether the counts explain all that was billed. */
  readonly isExact: boolean;
  readonly bookedPicoUsd: bigint;
}

function attemptsOf(record: CallRecord): readonly BookedAttempt[] {
  const rows: unknown = JSON.parse(record.attempts);
  assert(Array.isArray(rows), "a call's attempts are a list");
  return rows.map((row) => attemptOf(row, rows.length === 1 ? record.tokens : undefined));
}

/** `ofCall` are the tokens of a call with one attempt, which does not repeat them. */
function attemptOf(row: unknown, ofCall: Tokens | undefined): BookedAttempt {
  assert(typeof row === 'object' && row !== null, 'an attempt is an object');
  const fields = new Map<string, unknown>(Object.entries(row));
  const bookedPicoUsd = BigInt(String(fields.get('costPicoUsd') ?? 0));
  const isAnswered = fields.get('outcome') === 'answered';
  // Attempts of before counts were noted with them: what was no estimate was counted.
  const isExact = fields.get('isCounted') ?? (isAnswered && fields.get('isEstimated') !== true);
  const tokens = ofCall ?? readTokens(fields.get('tokens'));
  const hasCounts = isExact === true || (tokens !== undefined && hasAny(tokens));
  return { tokens: hasCounts ? tokens : undefined, isExact: isExact === true, bookedPicoUsd };
}

function hasAny({ inputTokens, outputTokens }: Tokens): boolean {
  return inputTokens + outputTokens > 0;
}

function readTokens(value: unknown): Tokens | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const count = (name: string) => Number(fields.get(name) ?? 0);
  return {
    inputTokens: count('inputTokens'),
    cachedInputTokens: count('cachedInputTokens'),
    cacheWriteInputTokens: count('cacheWriteInputTokens'),
    outputTokens: count('outputTokens'),
    reasoningTokens: count('reasoningTokens'),
  };
}
