import assert from 'node:assert';
import type { Attempt, CallRecord, Tokens } from '../../books/rows.ts';
import { otherModels } from '../../ledger/usage-names.ts';
import type { Store } from '../../store/port/port.ts';
import { selectAttempts } from '../../store/queries/ledger.ts';

/** Returns the attempts in order, from rows or from the call's record. */
export async function attemptsOf(
  store: Pick<Store, 'read'>,
  call: CallRecord,
): Promise<readonly Attempt[]> {
  return hasAttemptRows(call) ? store.read(selectAttempts(call.callId)) : recordedAttempts(call);
}

export function hasAttemptRows({ attempts }: CallRecord): boolean {
  return attempts === '[]';
}

/** Returns one attempt; more for calls of versions without attempt rows. */
export function recordedAttempts(call: CallRecord): readonly Attempt[] {
  const notes: unknown = JSON.parse(call.attempts);
  assert(Array.isArray(notes), "a call's attempts are a list");
  return notes.map((note, index) => attemptOf(call, note, index + 1, notes.length === 1));
}

function attemptOf(call: CallRecord, note: unknown, n: number, isOnly: boolean): Attempt {
  assert(typeof note === 'object' && note !== null, 'an attempt is an object');
  const { callId, usageModel, priceVersion, platform } = call;
  // `call.model` may be an alias that the caller used.
  const model = usageModel === otherModels ? call.model : usageModel;
  const fields = new Map<string, unknown>(Object.entries(note));
  const startedAt = fields.get('startedAt');
  const tookMs = fields.get('tookMs');
  const outcome = fields.get('outcome');
  const status = fields.get('status');
  const requestId = fields.get('requestId');
  assert(
    typeof startedAt === 'number' && typeof tookMs === 'number' && typeof outcome === 'string',
    'an attempt has a start time and a result',
  );
  const cost = BigInt(String(fields.get('costPicoUsd')));
  const isEstimated = fields.get('isEstimated') === true;
  // Older versions did not record this: an exact amount came from token counts.
  const isCounted = fields.get('isCounted') ?? (outcome === 'answered' && !isEstimated);
  return {
    ...{ callId, n, model, usageModel, priceVersion, platform },
    ...{ startedAt, tookMs, outcome, cost },
    status: typeof status === 'number' ? status : undefined,
    tokens: isOnly ? call.tokens : readTokens(fields.get('tokens')),
    toolUses: jsonIn(fields.get('toolUses')),
    tokenParts: jsonIn(fields.get('tokenParts')),
    isCounted: isCounted === true,
    basis: isEstimated ? 'estimated' : cost === 0n && isCounted !== true ? 'free' : 'exact',
    estimateReason: isEstimated && isOnly ? call.estimateReason : undefined,
    upstreamId: typeof requestId === 'string' ? requestId : undefined,
  };
}

function jsonIn(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function readTokens(value: unknown): Tokens {
  const isRecorded = typeof value === 'object' && value !== null;
  const fields = new Map<string, unknown>(isRecorded ? Object.entries(value) : []);
  const count = (name: string) => Number(fields.get(name) ?? 0);
  return {
    inputTokens: count('inputTokens'),
    cachedInputTokens: count('cachedInputTokens'),
    cacheWriteInputTokens: count('cacheWriteInputTokens'),
    outputTokens: count('outputTokens'),
    reasoningTokens: count('reasoningTokens'),
  };
}
