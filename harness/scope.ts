import process from 'node:process';

/** The started parts that must be stopped. */
export interface Scope {
  /** Registers a function that stops a part; the last is called first. */
  add(stop: () => Promise<unknown>): void;
  /** Stops everything, once, even if a part fails to stop. */
  close(): Promise<void>;
}

/** Runs `work`, then stops all that it started: also on an error, a signal, or after `limitMs`. */
export async function withScope<T>(
  limitMs: number,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const scope = createScope();
  const endNow = (why: string) => {
    process.stderr.write(`${why}: stopping what was started\n`);
    void scope.close().finally(() => process.exit(1));
  };
  const onSignal = (signal: string) => endNow(signal);
  const timer = setTimeout(() => endNow(`more than ${limitMs / 1000} s`), limitMs);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onSignal);
  try {
    return await work(scope);
  } finally {
    await scope.close();
    clearTimeout(timer);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
  }
}

/** A scope that its caller closes. */
export function createScope(): Scope {
  const stops: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;
  return {
    add: (stop) => void stops.push(stop),
    close() {
      closing ??= stopAll(stops);
      return closing;
    },
  };
}

async function stopAll(stops: (() => Promise<unknown>)[]) {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
    await stop().catch((error: unknown) => process.stderr.write(`while stopping: ${error}\n`));
  }
}
