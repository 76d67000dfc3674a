import { type Clock, every } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import type { Observer, RejectedCall } from '../lib/observer.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import type { Store } from '../store/port/port.ts';
import { addRejections, type Rejection } from '../store/queries/rejections.ts';

/** The most samples for each app and minute, across all threads of a process. */
const perMinuteMax = 10;
const minuteMs = 60_000;
const writeMs = 10_000;
/** Far more than apps reject within seconds; bounds memory while the store is unavailable. */
const waitingMax = 10_000;

/**
 * Samples rejected calls; the audit verifies each sample. Writes every 10 s, without delaying
 * calls. A crash may lose the last seconds.
 */
export function startRejections(parts: {
  readonly store: Pick<Store, 'write'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'next'>;
  readonly log: Log;
  readonly counts: { readonly threads: number };
}): { readonly observer: Observer; stop(): Promise<void> } {
  const { store, clock, ids, log, counts } = parts;
  const most = Math.max(1, Math.floor(perMinuteMax / counts.threads));
  const ofApp = new Map<string, number>();
  let minute = 0;
  let waiting: Rejection[] = [];
  const warn = createRareErrorWarning(
    { clock, log },
    'sample of rejected calls could not be saved',
  );
  const writing = every(clock, writeMs, write, warn);
  return {
    observer: { callRejected: add },
    async stop() {
      await writing.stop();
      await write().catch(() => undefined);
    },
  };

  function add(call: RejectedCall) {
    const at = clock.now();
    if (Math.floor(at / minuteMs) !== minute) ofApp.clear();
    minute = Math.floor(at / minuteMs);
    const count = ofApp.get(call.app) ?? 0;
    if (count >= most || waiting.length >= waitingMax) return;
    ofApp.set(call.app, count + 1);
    waiting.push(rowOf(ids.next('rejection'), at, call));
  }

  async function write() {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    await store.write(addRejections(rows));
  }
}

function rowOf(id: string, at: number, call: RejectedCall): Rejection {
  const { app, code, budget, isUnpriced } = call;
  return {
    ...{ id, at, app, code, isUnpriced },
    ...{ scope: budget && withoutUser(app, budget.scope), period: budget?.period },
    ...{ cap: call.capPicoUsd, spent: call.spentPicoUsd, held: call.heldPicoUsd },
    ...{ amountLeft: call.remainingPicoUsd, needed: call.neededPicoUsd },
  };
}

/** An erasure does not search these rows, so they must not name users. */
function withoutUser(app: string, scope: string): string {
  return scope.startsWith('user:') ? `users:${app}` : scope;
}
