import { type Clock, every } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createRareErrorWarning } from '../../lib/rare-warning.ts';
import type { Store } from '../../store/port/port.ts';
import { selectKeyStates } from '../../store/queries/ledger.ts';
import type { KeyedCall } from '../model/idempotency-key.ts';

export interface EndedKeys {
  wait(call: KeyedCall): KeyWait;
  stop(): Promise<void>;
}

export interface KeyWait {
  readonly promise: Promise<void>;
  readonly end: () => void;
  readonly cancel: () => void;
}

interface Waiter {
  readonly call: KeyedCall;
  readonly done: () => void;
}

const pollMs = 250;
/** Limits one statement, not the waiters. */
const keysMax = 500;

export function createEndedKeys(parts: { store: Store; clock: Clock; log: Log }): EndedKeys {
  const { store, clock } = parts;
  const warn = createRareErrorWarning(
    parts,
    'could not check calls that run in other processes; will retry',
  );
  const waiters = new Set<Waiter>();
  let polling: ReturnType<typeof every> | undefined;
  return { wait, stop: async () => polling?.stop() };

  function wait(call: KeyedCall) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { call, done: resolve };
    waiters.add(waiter);
    polling ??= every(clock, pollMs, poll, warn);
    const cancel = () => void waiters.delete(waiter);
    return { promise, end: resolve, cancel };
  }

  async function poll() {
    const batch = [...waiters].slice(0, keysMax);
    if (batch.length === 0) return;
    const keys = batch.map(({ call }) => ({ app: call.app, keyHash: call.key.keyHash }));
    const rows = await store.read(selectKeyStates(keys));
    const stillRunning = new Set(
      rows.filter(({ state }) => state === 'running').map(({ app, callId }) => `${app} ${callId}`),
    );
    for (const waiter of batch) {
      if (stillRunning.has(`${waiter.call.app} ${waiter.call.callId}`)) continue;
      waiters.delete(waiter);
      waiter.done();
    }
  }
}
