import { hash, hkdfSync } from 'node:crypto';
import { instanceDeadMs } from '../../books/instance.ts';
import type { BudgetScope } from '../../books/scope.ts';
import { isOpen, openRunsMax, type Run, scopeOfRun } from '../../domain/run.ts';
import type { Clock } from '../../lib/clock.ts';
import { createIds, type Ids } from '../../lib/id.ts';
import { makeRunKey } from '../../registry/key-format.ts';
import { hashKey } from '../../registry/key-ring.ts';
import type { Store } from '../../store/port/port.ts';
import { selectOlder, shutOutOlder } from '../../store/queries/instances.ts';
import { selectScopes } from '../../store/queries/ledger.ts';
import * as sql from '../../store/queries/runs.ts';
import { createRunCache, type RunLookup } from './run-cache.ts';

/** Reads reject when the store is unavailable. */
export interface Runs {
  /**
   * Its key works on every replica. Only a retry under the idempotency key can get the key again.
   */
  make(request: RunRequest): Promise<RunOutcome>;
  /** Synchronous if read lately. Open runs only. */
  ofKey(key: string): RunLookup | Promise<RunLookup>;
  /** Open runs only. */
  ofApp(app: string, id: string): RunLookup | Promise<RunLookup>;
  show(app: string, id: string): Promise<Run | undefined>;
  /** Idempotent. */
  end(app: string, id: string): Promise<Run | undefined>;
  spendOf(run: Run): Promise<Pick<BudgetScope, 'spent' | 'held'>>;
}

export interface RunRequest
  extends Pick<Run, 'app' | 'parentKeyId' | 'maxCostPicoUsd' | 'models' | 'userId' | 'label'> {
  readonly expiresInMs: number;
  readonly repetition?: RunRepetition | undefined;
}

/**
 * `other`: its idempotency key made a different run; `full`: too many open runs; `older`: these
 * instances' version does not support runs.
 */
export type RunOutcome =
  | { readonly kind: 'made' | 'repeated'; readonly run: Run; readonly key: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'full' }
  | { readonly kind: 'older'; readonly instances: readonly string[] };

export function createRuns(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly openMax?: number;
}): Runs {
  const { store, clock, ids, openMax = openRunsMax } = parts;
  const cache = createRunCache(clock);
  let isAllowed = false;
  return { make, ofKey, ofApp, show, end, spendOf };

  async function make({ expiresInMs, repetition, ...request }: RunRequest): Promise<RunOutcome> {
    const older = isAllowed ? undefined : await allow();
    if (older !== undefined) return { kind: 'older', instances: older };
    const nowMs = clock.now();
    const times = { createdAtMs: nowMs, expiresAtMs: nowMs + expiresInMs, endedAtMs: undefined };
    const id = repetition ? idOfRepeated(request.app, repetition.keyHash) : ids.next('run');
    const run: Run = { ...request, id, ...times };
    const key = repetition ? keyOfRepeated(run, repetition.apiKey, clock) : makeRunKey(ids);
    const statements = [sql.countRun(run.app), sql.insertRun(run, hashKey(key), openMax)];
    const [, inserted] = await store.write(statements);
    if (inserted === 0) return repetition ? madeBefore(run, repetition) : { kind: 'full' };
    cache.made(run, [hashKey(key), `${run.app}\n${run.id}`]);
    return { kind: 'made', run, key };
  }

  async function madeBefore(run: Run, { apiKey }: RunRepetition): Promise<RunOutcome> {
    const before = await show(run.app, run.id);
    if (before === undefined) return { kind: 'full' };
    if (!isSameRun(before, run)) return { kind: 'other' };
    return { kind: 'repeated', run: before, key: keyOfRepeated(before, apiKey, clock) };
  }

  /** Shuts out versions without runs; returns the live instances of such versions. */
  async function allow(): Promise<readonly string[] | undefined> {
    const aliveSinceMs = clock.now() - instanceDeadMs;
    const [allowed] = await store.write([shutOutOlder(sql.runsSince, aliveSinceMs)]);
    isAllowed = allowed !== 0;
    return isAllowed ? undefined : store.read(selectOlder(sql.runsSince, aliveSinceMs));
  }

  function ofKey(key: string) {
    const hash = hashKey(key);
    return open(cache.read(hash, () => store.read(sql.selectRunOfKey(hash))));
  }

  function ofApp(app: string, id: string) {
    return open(cache.read(`${app}\n${id}`, () => store.read(sql.selectRun(app, id))));
  }

  function open(read: RunLookup | Promise<RunLookup>): RunLookup | Promise<RunLookup> {
    return read instanceof Promise ? read.then(onlyOpen) : onlyOpen(read);
  }

  function onlyOpen(run: RunLookup): RunLookup {
    return run instanceof Object && !isOpen(run, clock.now()) ? undefined : run;
  }

  function show(app: string, id: string) {
    return store.read(sql.selectRun(app, id));
  }

  async function end(app: string, id: string) {
    await store.write([sql.endRun(app, id, clock.now())]);
    cache.ended(app, id);
    return show(app, id);
  }

  async function spendOf(run: Run) {
    const [row] = await store.read(selectScopes([scopeOfRun(run)]));
    return row ?? { spent: 0n, held: 0n };
  }
}

interface RunRepetition {
  readonly keyHash: string;
  readonly apiKey: string;
}

/** Deterministic, so all equal requests get one run. */
function idOfRepeated(app: string, keyHash: string): string {
  return `run_${hash('sha256', `run\n${app}\n${keyHash}`).slice(0, idCharacters)}`;
}

const idCharacters = 26;

/**
 * Deterministic per API key. The store has only that key's hash, so it reveals no run's key. A new
 * run under a pruned id has another creation time, and so another key.
 */
function keyOfRepeated({ id, createdAtMs }: Run, apiKey: string, clock: Clock): string {
  const info = `model-gateway run ${id} ${createdAtMs}`;
  const bytes = (size: number) => new Uint8Array(hkdfSync('sha256', apiKey, '', info, size));
  return makeRunKey(createIds(clock, bytes));
}

function isSameRun(one: Run, other: Run): boolean {
  return termsOf(one) === termsOf(other);
}

function termsOf({ parentKeyId, maxCostPicoUsd, models, userId, label, ...times }: Run): string {
  const forMs = times.expiresAtMs - times.createdAtMs;
  return JSON.stringify([parentKeyId, `${maxCostPicoUsd}`, models, userId, label, forMs]);
}
