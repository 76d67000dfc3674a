import { hash, hkdfSync } from 'node:crypto';
import type { Run } from '../../domain/run.ts';
import type { Clock } from '../../lib/clock.ts';
import { createIds } from '../../lib/id.ts';
import { makeRunKey } from '../../registry/key-format.ts';

export interface RunRepetition {
  readonly keyHash: string;
  readonly apiKey: string;
}

/** Deterministic, so all equal requests get one run. */
export function idOfRepeated(app: string, keyHash: string): string {
  return `run_${hash('sha256', `run\n${app}\n${keyHash}`).slice(0, idCharacters)}`;
}

/** As in other run ids. */
const idCharacters = 26;

/**
 * Deterministic per API key. The store has only that key's hash, so it reveals no run's key. A new
 * run under a pruned id has another creation time, so another key.
 */
export function keyOfRepeated({ id, createdAtMs }: Run, apiKey: string, clock: Clock): string {
  const info = `model-gateway run ${id} ${createdAtMs}`;
  const bytes = (size: number) => new Uint8Array(hkdfSync('sha256', apiKey, '', info, size));
  return makeRunKey(createIds(clock, bytes));
}

/** Also compares the keys that made them. */
export function isSameRun(one: Run, other: Run): boolean {
  return termsOf(one) === termsOf(other);
}

function termsOf({ parentKeyId, maxCostPicoUsd, models, userId, label, ...times }: Run): string {
  const forMs = times.expiresAtMs - times.createdAtMs;
  return JSON.stringify([parentKeyId, `${maxCostPicoUsd}`, models, userId, label, forMs]);
}
