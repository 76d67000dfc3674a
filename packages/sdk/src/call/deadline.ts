import type { AbortHub } from './abort-hub.ts';
import type { Runtime } from './runtime.ts';

/** Why a call ended before its response. */
export type Ending =
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted'; readonly reason: unknown };

/** The one limit over a whole call: its time, and its caller's signal. */
export interface Deadline {
  /** `undefined` while the call may continue. The first reason stays. */
  ending(): Ending | undefined;
  /** Milliseconds until the time is up; 0 or less when it is. */
  remainingMs(): number;
  /**
   * Runs `run` when the call ends, or at once if it has ended; returns a function that cancels
   * this.
   */
  onEnd(run: () => void): () => void;
  /** Settles as `work` does, but rejects as soon as the call ends; it does not stop `work`. */
  race<T>(work: T | PromiseLike<T>): Promise<Awaited<T>>;
  /** Resolves after `waitMs`, or as soon as the call ends. */
  sleep(waitMs: number): Promise<void>;
  /** Resolves when the call has ended, since no response comes: at once without a signal. */
  silence(): Promise<void>;
  /** Ends the call as the caller's signal does. */
  abort(reason: unknown): void;
  /** Removes the timer and the listener. Call it exactly once, whatever the outcome. */
  close(): void;
}

export interface DeadlineParts {
  readonly runtime: Runtime;
  readonly hub: AbortHub;
  /** `undefined` for no time limit. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** For a call; left out for the caller's own code. */
  readonly ofCall?: {
    /** Whether the caller can end it: the signal might be the client's own. */
    readonly isAbortable: boolean;
  };
}

/** Starts the time limit of one call. */
export function startDeadline(parts: DeadlineParts): Deadline {
  const { runtime, hub, timeoutMs, signal, ofCall } = parts;
  const endsAtMs = runtime.monotonicMs() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  const waiting = new Set<() => void>();
  let ending: Ending | undefined;

  const timeOut = () => end({ kind: 'timed-out' });
  const setTimer = ofCall === undefined ? runtime.after : runtime.afterLimit;
  const stopTimer = timeoutMs === undefined ? undefined : setTimer(timeoutMs, timeOut);
  const unlink = signal === undefined ? undefined : linkSignal(signal);

  function linkSignal(linked: AbortSignal): (() => void) | undefined {
    const abort = () => end({ kind: 'aborted', reason: linked.reason });
    if (!linked.aborted) return hub.onAbort(linked, abort);
    abort();
    return undefined;
  }

  function end(reason: Ending): void {
    if (ending !== undefined) return;
    ending = reason;
    for (const run of [...waiting]) run();
  }

  function onEnd(run: () => void): () => void {
    if (ending !== undefined) run();
    else waiting.add(run);
    return () => {
      waiting.delete(run);
    };
  }

  function sleep(waitMs: number): Promise<void> {
    if (ending !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const stopSleep = runtime.afterPause(waitMs, wake);
      const unlisten = onEnd(wake);
      function wake(): void {
        unlisten();
        stopSleep();
        resolve();
      }
    });
  }

  function silence(): Promise<void> {
    if (ofCall?.isAbortable !== true) timeOut();
    return new Promise((resolve) => {
      onEnd(resolve);
    });
  }

  return {
    ending: () => ending,
    remainingMs: () => endsAtMs - runtime.monotonicMs(),
    onEnd,
    race: (work) => raceEnd(work, onEnd),
    sleep,
    silence,
    abort: (reason) => end({ kind: 'aborted', reason }),
    close: () => {
      stopTimer?.();
      unlink?.();
    },
  };
}

function raceEnd<T>(work: T, onEnd: Deadline['onEnd']): Promise<Awaited<T>> {
  return new Promise((resolve, reject) => {
    const unlisten = onEnd(() => reject(new Error('the call has ended')));
    Promise.resolve(work).then(resolve, reject).finally(unlisten);
  });
}
