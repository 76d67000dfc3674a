/** Callbacks on callers' signals, with at most one listener on each signal. */
export interface AbortHub {
  /** Runs `run` when `signal` aborts; returns a function that cancels this. */
  onAbort(signal: AbortSignal, run: () => void): () => void;
}

/**
 * Node warns of a leak at the eleventh listener of one signal, but a hundred calls with the signal
 * of a shutdown are no leak. All calls of a client share one listener per signal, which is removed
 * when the last of them ends.
 */
export function createAbortHub(): AbortHub {
  const watches = new WeakMap<AbortSignal, Watch>();

  function onAbort(signal: AbortSignal, run: () => void): () => void {
    const watch = watches.get(signal) ?? startWatch(signal);
    const { runs, listener } = watch;
    runs.add(run);
    return () => {
      runs.delete(run);
      if (runs.size > 0 || watches.get(signal) !== watch) return;
      watches.delete(signal);
      signal.removeEventListener('abort', listener);
    };
  }

  function startWatch(signal: AbortSignal): Watch {
    const runs = new Set<() => void>();
    const watch = {
      runs,
      listener: () => {
        for (const run of [...runs]) run();
      },
    };
    watches.set(signal, watch);
    signal.addEventListener('abort', watch.listener);
    return watch;
  }

  return { onAbort };
}

interface Watch {
  readonly runs: Set<() => void>;
  readonly listener: () => void;
}
