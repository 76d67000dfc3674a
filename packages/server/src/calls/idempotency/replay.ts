import type { CallRecord, Hold } from '../../books/rows.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { formatUsd } from '../../lib/money.ts';
import type { OneShot } from '../../lib/one-shot.ts';
import type { Store } from '../../store/port/port.ts';
import {
  selectAnswer,
  selectCallRecord,
  selectHoldOf,
  selectResult,
} from '../../store/queries/ledger.ts';
import { CallError } from '../model/call-error.ts';
import { endedAs } from '../model/failure.ts';
import type { KeyedCall } from '../model/idempotency-key.ts';
import type { SharedStream } from '../model/live-call.ts';
import { type CallResult, failed } from '../model/result.ts';
import { type CallEvents, noCallEvents } from './call-events.ts';
import { createEndedKeys, type EndedKeys } from './ended-keys.ts';
import { readStoredError } from './stored-error.ts';
import { readResult } from './stored-result.ts';

export interface IdempotentReplays {
  register(callId: string, call: RunningKeyedCall): void;
  /** From any process. Rejects if `over` fires first. */
  awaitResult(keyed: KeyedModelCall, over: OneShot): Promise<CallResult>;
  /** Waiters of this thread. */
  waitingFor(callId: string): number;
  follow(keyed: KeyedModelCall, over: OneShot): Promise<CallResult | SharedStream>;
  /**
   * For an equal request without a key. Waits until the caller disconnects, at most 1 s; after a
   * disconnect, until the call is settled. Rejects like `awaitResult`.
   */
  awaitDetached(keyed: KeyedModelCall, over: OneShot): Promise<void>;
  find(keyed: KeyedModelCall): Promise<CallResult | undefined>;
  /** Includes calls of dead processes; undefined once ended. */
  holdOf(callId: string): Promise<Hold | undefined>;
  recordOf(callId: string): Promise<CallRecord | undefined>;
  stop(): Promise<void>;
}

export interface KeyedModelCall extends KeyedCall {
  readonly model: string;
}

export interface RunningKeyedCall {
  readonly final: Promise<CallResult>;
  readonly stream?: SharedStream | undefined;
  readonly isDetached: () => boolean;
}

interface FollowedCall {
  /** Never rejects. */
  readonly ended: Promise<void>;
  readonly isDetached: () => boolean;
  readonly unfollow: () => void;
}

/** A caller that retries has closed its first connection, or soon will. */
const leavingMs = 1_000;
const pollMs = 50;

export function createReplays(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly callEvents?: CallEvents | undefined;
}): IdempotentReplays {
  const { callEvents = noCallEvents } = parts;
  const running = new Map<string, RunningKeyedCall>();
  const endedKeys = createEndedKeys(parts);
  const remoteCallOf = createRemoteCalls(endedKeys, callEvents);
  callEvents.provide((callId) => running.get(callId));
  const stored = storedOf(parts.store);
  const waiting = createWaiting();
  const { waitingFor } = waiting;
  return {
    register,
    awaitResult,
    waitingFor,
    awaitDetached,
    follow,
    ...stored,
    stop: endedKeys.stop,
  };

  function register(callId: string, call: RunningKeyedCall) {
    running.set(callId, call);
    const end = () => void running.delete(callId);
    call.final.then(end, end);
  }

  async function awaitDetached(keyed: KeyedModelCall, over: OneShot): Promise<void> {
    const call = localCallOf(keyed) ?? remoteCallOf(keyed);
    let hasEnded = false;
    void call.ended.then(() => {
      hasEnded = true;
    });
    try {
      for (let waitedMs = 0; waitedMs < leavingMs; waitedMs += pollMs) {
        if (hasEnded || call.isDetached() || !(await sleep(parts.clock, pollMs, over))) break;
      }
      if (over.hasFired()) throw endedError(keyed);
      // Only the request that claims the result receives it.
      if (call.isDetached()) await unlessOver(call.ended, keyed, over);
    } finally {
      call.unfollow();
    }
  }

  function localCallOf({ callId }: KeyedModelCall): FollowedCall | undefined {
    const localCall = running.get(callId);
    if (localCall === undefined) return undefined;
    const ended = localCall.final.then(noResult, noResult);
    return { ended, isDetached: localCall.isDetached, unfollow: () => undefined };
  }

  async function awaitResult(keyed: KeyedModelCall, over: OneShot): Promise<CallResult> {
    const localCall = running.get(keyed.callId);
    if (localCall !== undefined)
      return waiting.during(keyed, unlessOver(localCall.final, keyed, over));
    const remoteCall = remoteCallOf(keyed);
    try {
      await unlessOver(remoteCall.ended, keyed, over);
    } finally {
      remoteCall.unfollow();
    }
    return (await stored.find(keyed)) ?? endOf(parts.store, keyed);
  }

  async function follow(keyed: KeyedModelCall, over: OneShot): Promise<CallResult | SharedStream> {
    const { stream, final } = running.get(keyed.callId) ?? {};
    if (stream === undefined) return awaitResult(keyed, over);
    const begun = Promise.race([stream.begun, final]);
    await waiting.during(keyed, unlessOver(begun, keyed, over));
    return stream.hasBegun() ? stream : awaitResult(keyed, over);
  }
}

/** The store reports ends; a thread of this process reports them sooner. */
function createRemoteCalls(
  endedKeys: EndedKeys,
  callEvents: CallEvents,
): (keyed: KeyedModelCall) => FollowedCall {
  return (keyed) => {
    const { promise, end, cancel } = endedKeys.wait(keyed);
    let hasDisconnected = false;
    const onDisconnect = () => {
      hasDisconnected = true;
    };
    const followed = callEvents.follow(keyed.callId, { left: onDisconnect, ended: end });
    return {
      ended: promise,
      isDetached: () => hasDisconnected,
      unfollow() {
        cancel();
        followed.unfollow();
      },
    };
  };
}

function createWaiting() {
  const counts = new Map<string, number>();
  const waitingFor = (callId: string) => counts.get(callId) ?? 0;
  return {
    waitingFor,
    async during<T>({ callId }: KeyedModelCall, wait: Promise<T>): Promise<T> {
      counts.set(callId, waitingFor(callId) + 1);
      try {
        return await wait;
      } finally {
        const remaining = waitingFor(callId) - 1;
        if (remaining === 0) counts.delete(callId);
        else counts.set(callId, remaining);
      }
    },
  };
}

function storedOf(store: Store): Pick<IdempotentReplays, 'find' | 'holdOf' | 'recordOf'> {
  return {
    find: (keyed) => findResult(store, keyed),
    holdOf: (callId) => store.read(selectHoldOf(callId)),
    recordOf: (callId) => store.read(selectCallRecord(callId)),
  };
}

function noResult() {
  // The result is read from the store.
}

async function findResult(store: Store, keyed: KeyedModelCall): Promise<CallResult | undefined> {
  const { callId } = keyed;
  const row = await store.read(selectResult(callId));
  const result =
    row === undefined ? await storedBefore(store, keyed) : readResult(row, keyed, store.ring);
  if (result?.kind !== 'failed') return result;
  // The call's record has the booked cost. A stored error is never worth another retry.
  const costUsd = bookedUsdOf(await store.read(selectCallRecord(callId)));
  const { code, message, details } = result.error;
  return failed(new CallError(code, message, { ...details, costUsd, shouldRetry: false }));
}

/** Written by a version before stored results. */
async function storedBefore(
  store: Store,
  { key, app, callId }: KeyedModelCall,
): Promise<CallResult | undefined> {
  const row = await store.read(selectAnswer(callId));
  if (row === undefined || row.body === '') return undefined;
  const body = key.open({ ring: undefined, app, callId }, row.body);
  if (body === undefined) return undefined;
  return row.status === 200 ? { kind: 'relayed', body, isReplayed: true } : readStoredError(body);
}

/** Without a stored response, the call failed; the record has its code. */
async function endOf(store: Store, { callId, model }: KeyedModelCall): Promise<CallResult> {
  const record = await store.read(selectCallRecord(callId));
  return failed(endedAs(record?.code ?? 'LOST', model, bookedUsdOf(record)));
}

function bookedUsdOf(record: CallRecord | undefined): string | undefined {
  return record === undefined || record.cost === 0n ? undefined : formatUsd(record.cost);
}

function unlessOver<T>(promise: Promise<T>, keyed: KeyedModelCall, over: OneShot): Promise<T> {
  return new Promise((resolve, reject) => {
    const unsubscribe = over.onFire(() => reject(endedError(keyed)));
    promise.then(resolve, reject).finally(unsubscribe);
  });
}

function endedError({ model }: KeyedModelCall): CallError {
  const message = 'The request ended while it waited for an earlier call.';
  return new CallError('ABORTED', message, { model });
}
