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
import { type CallNews, noNews } from './call-news.ts';
import { createEndedKeys, type EndedKeys } from './ended-keys.ts';
import { keptError } from './kept-error.ts';
import { readResult } from './stored-result.ts';

export interface IdempotentReplays {
  register(callId: string, call: RunningKeyed): void;
  /** From any process; rejects if `over` comes first. */
  awaitResult(keyed: Keyed, over: OneShot): Promise<CallResult>;
  /** Waiters of this thread. */
  waitingFor(callId: string): number;
  follow(keyed: Keyed, over: OneShot): Promise<CallResult | SharedStream>;
  /**
   * For an equal request without a key: until settled if its caller left; else until it leaves, at
   * most a second. Rejects as `awaitResult`.
   */
  awaitLeft(keyed: Keyed, over: OneShot): Promise<void>;
  find(keyed: Keyed): Promise<CallResult | undefined>;
  /** Also of a dead process; undefined once ended. */
  holdOf(callId: string): Promise<Hold | undefined>;
  recordOf(callId: string): Promise<CallRecord | undefined>;
  stop(): Promise<void>;
}

export interface Keyed extends KeyedCall {
  readonly model: string;
}

export interface RunningKeyed {
  readonly final: Promise<CallResult>;
  readonly stream?: SharedStream | undefined;
  readonly isLeft: () => boolean;
}

interface FollowedCall {
  /** Never rejects. */
  readonly ended: Promise<void>;
  readonly isLeft: () => boolean;
  readonly forget: () => void;
}

/** A repeating caller has closed its first connection, or soon will. */
const leavingMs = 1_000;
const lookMs = 50;

export function createReplays(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly news?: CallNews | undefined;
}): IdempotentReplays {
  const { news = noNews } = parts;
  const running = new Map<string, RunningKeyed>();
  const elsewhere = createEndedKeys(parts);
  const awayOf = createAway(elsewhere, news);
  news.tell((callId) => running.get(callId));
  const stored = storedOf(parts.store);
  const waiting = createWaiting();
  const { waitingFor } = waiting;
  return { register, awaitResult, waitingFor, awaitLeft, follow, ...stored, stop: elsewhere.stop };

  function register(callId: string, call: RunningKeyed) {
    running.set(callId, call);
    const end = () => void running.delete(callId);
    call.final.then(end, end);
  }

  async function awaitLeft(keyed: Keyed, over: OneShot): Promise<void> {
    const call = hereOf(keyed) ?? awayOf(keyed);
    let hasEnded = false;
    void call.ended.then(() => {
      hasEnded = true;
    });
    try {
      for (let waitedMs = 0; waitedMs < leavingMs; waitedMs += lookMs) {
        if (hasEnded || call.isLeft() || !(await sleep(parts.clock, lookMs, over))) break;
      }
      if (over.hasFired()) throw ended(keyed);
      // What it came to is told to its claimer alone.
      if (call.isLeft()) await unlessOver(call.ended, keyed, over);
    } finally {
      call.forget();
    }
  }

  function hereOf({ callId }: Keyed): FollowedCall | undefined {
    const here = running.get(callId);
    if (here === undefined) return undefined;
    const ended = here.final.then(noResult, noResult);
    return { ended, isLeft: here.isLeft, forget: () => undefined };
  }

  async function awaitResult(keyed: Keyed, over: OneShot): Promise<CallResult> {
    const here = running.get(keyed.callId);
    if (here !== undefined) return waiting.during(keyed, unlessOver(here.final, keyed, over));
    const away = awayOf(keyed);
    try {
      await unlessOver(away.ended, keyed, over);
    } finally {
      away.forget();
    }
    return (await stored.find(keyed)) ?? endOf(parts.store, keyed);
  }

  async function follow(keyed: Keyed, over: OneShot): Promise<CallResult | SharedStream> {
    const { stream, final } = running.get(keyed.callId) ?? {};
    if (stream === undefined) return awaitResult(keyed, over);
    const begun = Promise.race([stream.begun, final]);
    await waiting.during(keyed, unlessOver(begun, keyed, over));
    return stream.hasBegun() ? stream : awaitResult(keyed, over);
  }
}

/** The store reports ends; a thread of this process does so sooner. */
function createAway(elsewhere: EndedKeys, news: CallNews): (keyed: Keyed) => FollowedCall {
  return (keyed) => {
    const { promise, end, forget } = elsewhere.wait(keyed);
    let hasLeft = false;
    const left = () => {
      hasLeft = true;
    };
    const followed = news.follow(keyed.callId, { left, ended: end });
    return {
      ended: promise,
      isLeft: () => hasLeft,
      forget() {
        forget();
        followed.forget();
      },
    };
  };
}

function createWaiting() {
  const counts = new Map<string, number>();
  const waitingFor = (callId: string) => counts.get(callId) ?? 0;
  return {
    waitingFor,
    async during<T>({ callId }: Keyed, wait: Promise<T>): Promise<T> {
      counts.set(callId, waitingFor(callId) + 1);
      try {
        return await wait;
      } finally {
        const left = waitingFor(callId) - 1;
        if (left === 0) counts.delete(callId);
        else counts.set(callId, left);
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
  // What it came to is read of the store.
}

async function findResult(store: Store, keyed: Keyed): Promise<CallResult | undefined> {
  const { callId } = keyed;
  const row = await store.read(selectResult(callId));
  const result =
    row === undefined ? await storedBefore(store, keyed) : readResult(row, keyed, store.ring);
  if (result?.kind !== 'failed') return result;
  // What is booked for it stands in its call's record; it is never worth another try.
  const costUsd = bookedUsdOf(await store.read(selectCallRecord(callId)));
  const { code, message, details } = result.error;
  return failed(new CallError(code, message, { ...details, costUsd, shouldRetry: false }));
}

/** From a version before stored results. */
async function storedBefore(
  store: Store,
  { key, app, callId }: Keyed,
): Promise<CallResult | undefined> {
  const row = await store.read(selectAnswer(callId));
  if (row === undefined || row.body === '') return undefined;
  const body = key.open({ ring: undefined, app, callId }, row.body);
  if (body === undefined) return undefined;
  return row.status === 200 ? { kind: 'relayed', body, isReplayed: true } : keptError(body);
}

/** No stored answer means an error; the record has its code. */
async function endOf(store: Store, { callId, model }: Keyed): Promise<CallResult> {
  const record = await store.read(selectCallRecord(callId));
  return failed(endedAs(record?.code ?? 'LOST', model, bookedUsdOf(record)));
}

function bookedUsdOf(record: CallRecord | undefined): string | undefined {
  return record === undefined || record.cost === 0n ? undefined : formatUsd(record.cost);
}

function unlessOver<T>(promise: Promise<T>, keyed: Keyed, over: OneShot): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = over.onFire(() => reject(ended(keyed)));
    promise.then(resolve, reject).finally(forget);
  });
}

function ended({ model }: Keyed): CallError {
  const message = 'The request ended while it waited for an earlier call.';
  return new CallError('ABORTED', message, { model });
}
