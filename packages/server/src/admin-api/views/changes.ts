import type { Clock } from '../../lib/clock.ts';
import type { Changes } from '../../operations/context/live-state.ts';

/** Polls only while it has listeners. */
export interface ChangeFeed {
  /** Reports each topic at most once a second, until the returned function is called. */
  listen(onChange: (topics: readonly string[]) => void): () => void;
  count(): number;
}

const pollMs = 1_000;

/** A text for each topic. A different text is a change. */
export type ReadChanges = () => Promise<Changes>;

/**
 * One poll of the store per second for all listeners; it continues while the store is unavailable.
 */
export function createChangeFeed(parts: {
  readonly clock: Pick<Clock, 'after'>;
  readonly read: ReadChanges;
}): ChangeFeed {
  const { clock, read } = parts;
  const listeners = new Set<(topics: readonly string[]) => void>();
  let known: Changes | undefined;
  let isTimed = false;
  return {
    listen(onChange) {
      listeners.add(onChange);
      // Polls at once: later changes are compared with the current state.
      if (!isTimed) void poll();
      return () => {
        listeners.delete(onChange);
      };
    },
    count: () => listeners.size,
  };

  function next() {
    isTimed = true;
    clock.after(pollMs, () => void poll());
  }

  /** Never rejects; continues while there are listeners. */
  async function poll(): Promise<void> {
    isTimed = false;
    if (listeners.size === 0) {
      known = undefined;
      return;
    }
    isTimed = true;
    const now = await read().catch(() => undefined);
    if (now !== undefined) {
      const before = known;
      known = now;
      const changed = before === undefined ? [] : changedTopics(before, now);
      if (changed.length > 0) for (const onChange of listeners) onChange(changed);
    }
    next();
  }
}

function changedTopics(before: Changes, now: Changes): readonly string[] {
  return [...now].filter(([topic, text]) => before.get(topic) !== text).map(([topic]) => topic);
}
