import type { Book } from './book.ts';
import type { AdoptionClaim } from './claims.ts';
import type { Conclusion, Reserve, ReserveOutcome, Settle } from './operations.ts';
import type { Hold, IdempotencyRow } from './rows.ts';

/** Undefined when the call may run. */
export function claim(book: Book, operation: Reserve): ReserveOutcome | undefined {
  const claimed = operation.idempotency;
  if (claimed === undefined) return undefined;
  const { adoption } = claimed;
  const earlier =
    adoption === undefined
      ? ownClaim(book, operation, claimed.fingerprint)
      : adopt(book, operation, adoption);
  return earlier ?? takeover(book, operation);
}

function ownClaim(book: Book, operation: Reserve, fingerprint: string): ReserveOutcome | undefined {
  const row = recordOf(book, operation);
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint) return { kind: 'mismatch' };
  switch (row.state) {
    case 'answered':
      return { kind: 'replay', callId: row.callId };
    case 'unstored':
      return { kind: 'unstored', callId: row.callId };
    case 'failed':
      return undefined;
    case 'running':
      return isRunning(book, operation, row) ? { kind: 'attach', callId: row.callId } : undefined;
  }
}

/**
 * A dead instance never responds: a new reservation takes over its call, and ends that call's
 * reservation. Rows of that reservation are locked only if the new one names it.
 */
function takeover(book: Book, operation: Reserve): ReserveOutcome | undefined {
  const row = recordOf(book, operation);
  if (row?.state !== 'running' || row.callId === operation.ends?.callId) return undefined;
  return { kind: 'dead', callId: row.callId };
}

/** The requesting instance is alive, whatever the time of its last heartbeat. */
function isRunning(book: Book, { instanceId }: Reserve, row: IdempotencyRow): boolean {
  return row.instanceId === instanceId || book.isAlive(row.instanceId);
}

/**
 * A request without a key may collect an equal request's stored result, or wait for an equal
 * running call. Otherwise it is a new call, under a key that no equal request has.
 */
function adopt(
  book: Book,
  operation: Reserve,
  { earlier, mayWait }: AdoptionClaim,
): ReserveOutcome | undefined {
  const { facts, idempotency, now } = operation;
  const rowOf = (keyHash: string) => {
    const row = book.idempotency.get(facts.app, keyHash);
    if (row?.state === 'running') return isRunning(book, operation, row) ? row : undefined;
    return row?.state === 'unstored' && row.expiresAt > now ? row : undefined;
  };
  const rows = earlier.flatMap((keyHash) => rowOf(keyHash) ?? []);
  const endedRow = oldestOf(rows.filter(({ state }) => state === 'unstored'));
  if (endedRow !== undefined) {
    return { kind: 'adoptable', callId: endedRow.callId, keyHash: endedRow.keyHash };
  }
  const running = mayWait ? oldestOf(rows) : undefined;
  if (running !== undefined) return { kind: 'attach', callId: running.callId };
  const isTaken = idempotency !== undefined && rowOf(idempotency.keyHash) !== undefined;
  return isTaken ? { kind: 'taken' } : undefined;
}

/** Call ids sort by time. */
function oldestOf(rows: readonly IdempotencyRow[]): IdempotencyRow | undefined {
  let oldest: IdempotencyRow | undefined;
  for (const row of rows) {
    if (oldest === undefined || row.callId < oldest.callId) oldest = row;
  }
  return oldest;
}

export function recordOf(book: Book, operation: Reserve): IdempotencyRow | undefined {
  const { facts, idempotency, now } = operation;
  if (idempotency === undefined) return undefined;
  const row = book.idempotency.get(facts.app, idempotency.keyHash);
  // An expired record no longer counts, but a running call is never started twice.
  return row !== undefined && (row.expiresAt > now || row.state === 'running') ? row : undefined;
}

const nothing: Conclusion = { badOutputs: 0, takenOverBy: undefined };

/** A call whose key another call has taken over changes nothing under it. */
export function conclude(book: Book, operation: Settle): Conclusion {
  const { facts, end, outcome, result } = operation;
  if (facts.keyHash === undefined) return nothing;
  const row = book.idempotency.get(facts.app, facts.keyHash);
  if (row === undefined) return nothing;
  if (row.callId !== facts.callId) return { badOutputs: 0, takenOverBy: row.callId };
  // The wallet's payments under the key must not be lost with it.
  if (outcome === 'forgotten' && row.walletPaid === 0n) {
    book.idempotency.remove(row);
    return nothing;
  }
  if (end.code === 'BAD_OUTPUT') row.badOutputs += 1;
  // A key pays for two bad outputs at most: the second becomes its answer.
  const isLastBad = end.code === 'BAD_OUTPUT' && row.badOutputs > 1;
  const stored = outcome === 'answered' || isLastBad ? result : undefined;
  // Versions without results reject a key in this state, and make no second call.
  const mayRunAgain = outcome === 'failed' || outcome === 'forgotten';
  row.state = mayRunAgain && !isLastBad ? 'failed' : 'unstored';
  row.expiresAt = operation.answerExpiresAt;
  book.idempotency.put(row);
  if (stored !== undefined) {
    const { app, keyHash, callId } = row;
    book.addResult({ ...stored, app, keyHash, callId, at: end.endedAt });
    return { badOutputs: row.badOutputs, takenOverBy: undefined };
  }
  addEmptyAnswer(book, row, end.endedAt);
  return { badOutputs: row.badOutputs, takenOverBy: undefined };
}

/** The key of a call that will not be settled can be used again. */
export function abandon(book: Book, hold: Hold, now: number) {
  if (hold.keyHash === undefined) return;
  const row = book.idempotency.get(hold.app, hold.keyHash);
  if (row === undefined || row.callId !== hold.callId || row.state !== 'running') return;
  row.state = 'failed';
  book.idempotency.put(row);
  addEmptyAnswer(book, row, now);
}

/**
 * Every key without a result leaves an empty answer, ordered by call. Old keys can then be found
 * without an index over the busy rows.
 */
function addEmptyAnswer(book: Book, { app, keyHash, callId }: IdempotencyRow, at: number) {
  book.putAnswer({ app, keyHash, callId, status: 0, body: '', at });
}
