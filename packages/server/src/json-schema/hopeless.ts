import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';

/** Schemas that were found to take too long to compile. */
export interface Hopeless {
  has(text: string): boolean;
  add(text: string): void;
}

/** For so long a verdict holds: after that a schema is tried once more. */
const keptMs = 600_000;
/** Of 32 bytes each. */
const entriesMax = 10_000;

/** None yet. Only their hashes are kept, so that no app's schemas drive them out soon. */
export function createHopeless({ clock }: { readonly clock: Clock }): Hopeless {
  const untilMs = new Map<string, number>();
  return {
    has(text) {
      if (untilMs.size === 0) return false;
      const hash = hashOf(text);
      const until = untilMs.get(hash);
      if (until === undefined) return false;
      if (clock.monotonic() < until) return true;
      untilMs.delete(hash);
      return false;
    },
    add(text) {
      const hash = hashOf(text);
      untilMs.delete(hash);
      untilMs.set(hash, clock.monotonic() + keptMs);
      const [oldest] = untilMs.keys();
      if (untilMs.size > entriesMax && oldest !== undefined) untilMs.delete(oldest);
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
