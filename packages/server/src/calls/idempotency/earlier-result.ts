import assert from 'node:assert';
import type { CallFields } from '@model-gateway/contract';
import type { ReserveOutcome } from '../../books/operations.ts';
import type { Call } from '../model/call.ts';
import { CallError } from '../model/call-error.ts';
import type { LiveCall } from '../model/live-call.ts';
import type { RequestLog } from '../model/request-log.ts';
import { asReplayed, type CallResult, failed } from '../model/result.ts';
import type { IdempotentReplays } from './replay.ts';

type KeyOutcome = Exclude<
  ReserveOutcome,
  { kind: 'reserved' | 'refused' | 'outdated-budgets' | 'dead' }
>;

/** The key's call is never paid twice. */
export async function earlierResult(
  replays: IdempotentReplays,
  { context, request }: Call<CallFields>,
  outcome: KeyOutcome,
): Promise<CallResult | LiveCall> {
  const { app, idempotencyKey: key, callerGone, log } = context;
  assert(key !== undefined, 'only a request with a key meets an earlier one');
  assert(outcome.kind !== 'taken' && outcome.kind !== 'adoptable', 'its key is no adoption’s');
  if (outcome.kind === 'mismatch') return failed(new CallError('INVALID', otherRequest));
  const keyed = { app: app.name, key, callId: outcome.callId, model: request.model };
  if (outcome.kind !== 'unstored') log.callId = outcome.callId;
  context.trace?.joined(outcome.callId);
  if (outcome.kind === 'attach') {
    log.isWaiting = true;
    if (context.stream === undefined)
      return replayed(await replays.awaitResult(keyed, callerGone), log);
    const found = await replays.follow(keyed, callerGone);
    if (found.kind !== 'stream') return replayed(found, log);
    return found.live({ isReplayed: true, after: context.stream.after, log });
  }
  const stored = await replays.find(keyed);
  if (stored === undefined) return failed(new CallError('INVALID', notKept));
  log.callId = outcome.callId;
  return replayed(stored, log);
}

function replayed(result: CallResult, log: RequestLog): CallResult {
  if (result.kind === 'done') log.servedBy = result.servedBy;
  return asReplayed(result);
}

const otherRequest =
  'The idempotency-key was used for another request; use a new key for each request.';
const notKept =
  'The request with this idempotency-key has been answered, and its answer is not kept; use a new key to call again.';
