import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';

export interface TimedOutSchemas {
  has(text: string): boolean;
  add(text: string): void;
}

const retentionMs = 600_000;
/** 32 bytes each. */
const entriesMax = 10_000;

/** Stores only hashes, so no app soon evicts the entries of others. */
export function createTimedOutSchemas({ clock }: { readonly clock: Clock }): TimedOutSchemas {
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
      untilMs.set(hash, clock.monotonic() + retentionMs);
      const [oldest] = untilMs.keys();
      if (untilMs.size > entriesMax && oldest !== undefined) untilMs.delete(oldest);
    },
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
