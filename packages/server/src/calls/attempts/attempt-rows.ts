import type { Attempt, CallFacts } from '../../books/rows.ts';
import { noTokens, priceVersionOf } from '../../books/usage.ts';
import type { AttemptRecord } from '../model/generated.ts';

/** No prompt, answer or platform text. Empty for several attempts, which have rows. */
export function attemptNote(attempts: readonly AttemptRecord[]): string {
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

/** Undefined for a single attempt, which the call's record covers. */
export function attemptRows(
  facts: CallFacts,
  attempts: readonly AttemptRecord[],
): readonly Attempt[] | undefined {
  if (attempts.length < 2) return undefined;
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

export function bookedAs(
  { usageModel }: Pick<CallFacts, 'usageModel'>,
  { candidate: { model, bound } }: AttemptRecord,
): Pick<CallFacts, 'usageModel' | 'priceVersion' | 'platform'> {
  const { price } = bound;
  // Of models that no row names, of which an alias has none, the ledger has made the name.
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

/** Whether a price that is learned later can reprice it. */
function isCounted({ tokens, outcome }: AttemptRecord): boolean {
  const { doubts } = outcome.usage ?? {};
  return (
    tokens !== undefined && doubts?.every(({ reason }) => reason === 'cache-lifetime') === true
  );
}
