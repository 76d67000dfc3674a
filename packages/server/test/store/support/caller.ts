import { Worker } from 'node:worker_threads';
import type { StoreShare } from '../../../src/store/port/port.ts';

export interface CallerWork {
  readonly calls: number;
  readonly callers: number;
  /** Of each reservation and each settlement, in pico-USD. */
  readonly amount: string;
  readonly cost: string;
}

export interface CallerResult {
  readonly settled: readonly (readonly [callId: string, cost: string])[];
  readonly refused: number;
}

export interface CallerThread {
  readonly done: Promise<CallerResult>;
}

/** Starts a thread that joins a store and makes calls of the app `search` in its ledger. */
export function startCallerThread(share: StoreShare, work: CallerWork): CallerThread {
  const worker = new Worker(new URL('./caller-thread.ts', import.meta.url), {
    workerData: { share, work },
    transferList: [share.port],
  });
  const done = new Promise<CallerResult>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread has ended')));
  });
  return { done };
}
