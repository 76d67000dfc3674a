import { hash, hkdfSync } from 'node:crypto';
import type { Run } from '../../domain/run.ts';
import type { Clock } from '../../lib/clock.ts';
import { createIds } from '../../lib/id.ts';
import { makeRunKey } from '../../registry/key-format.ts';

/** What makes a run the same one, when it is asked for again. */
export interface RunRepetition {
  /** Of the caller's idempotency key. */
  readonly keyHash: string;
  /** The text of the API key that asks. */
  readonly apiKey: string;
}

/** The id of the one run that an app makes under an idempotency key: all that ask come to it. */
export function idOfRepeated(app: string, keyHash: string): string {
  return `run_${hash('sha256', `run\n${app}\n${keyHash}`).slice(0, idCharacters)}`;
}

/** As many as other ids of runs have. */
const idCharacters = 26;

/**
 * The key of a run that is asked for under an idempotency key: the same whenever the same API key
 * asks for it. The store has the hash of that key alone, and so gives no run's key. Another run
 * that has its id once it was pruned was made at another time, and so has another key.
 */
export function keyOfRepeated({ id, createdAtMs }: Run, apiKey: string, clock: Clock): string {
  const info = `model-gateway run ${id} ${createdAtMs}`;
  const bytes = (size: number) => new Uint8Array(hkdfSync('sha256', apiKey, '', info, size));
  return makeRunKey(createIds(clock, bytes));
}

/** Whether a run is what is asked for again, and by the key that it was made with. */
export function isSameRun(one: Run, other: Run): boolean {
  return termsOf(one) === termsOf(other);
}

function termsOf({ parentKeyId, maxCostPicoUsd, models, userId, label, ...times }: Run): string {
  const forMs = times.expiresAtMs - times.createdAtMs;
  return JSON.stringify([parentKeyId, `${maxCostPicoUsd}`, models, userId, label, forMs]);
}
