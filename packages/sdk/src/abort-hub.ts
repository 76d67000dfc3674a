/** Callbacks on callers' signals, with at most one listener on each signal. */
export interface AbortHub {
  /** Runs `run` when `signal` aborts; answers a function that takes it back. */
  onAbort(signal: AbortSignal, run: () => void): () => void;
}

/**
 * Node warns of a leak at the eleventh listener of one signal, and a hundred calls that share the
 * signal of a shutdown are no leak. So all calls of a client share one listener per signal, which
 * goes when the last of them ends.
 */
export function createAbortHub(): AbortHub {
  const watches = new WeakMap<AbortSignal, Watch>();

  function onAbort(signal: AbortSignal, run: () => void): () => void {
    const watch = watches.get(signal) ?? startWatch(signal);
    watch.runs.add(run);
    return () => {
      watch.runs.delete(run);
      if (watch.runs.size === 0 && watches.get(signal) === watch) endWatch(signal, watch);
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

  function endWatch(signal: AbortSignal, watch: Watch): void {
    watches.delete(signal);
    signal.removeEventListener('abort', watch.listener);
  }

  return { onAbort };
}

interface Watch {
  readonly runs: Set<() => void>;
  readonly listener: () => void;
}
