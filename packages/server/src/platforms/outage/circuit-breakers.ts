import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { type UnusableCause, unusableCauses } from '../model/unusable.ts';
import { type Circuit, type CircuitState, createCircuit } from './circuit.ts';

/** Keeps calls from worsening an outage or waiting for it. */
export interface CircuitBreakers {
  /** Covers the row's first path: paths fail separately. */
  modelOf(model: BreakerModel): ModelBreaker;
  /** Open because no response was ever usable: no call to them makes a reservation. */
  readonly unusable: ReadonlySet<Circuit>;
  /** For metrics; unordered. */
  snapshot(): CircuitBreakersSnapshot;
}

type BreakerModel = Pick<CatalogModel, 'id' | 'platform' | 'isListed' | 'speaks'>;

export interface ModelBreaker {
  readonly retries: RetryBudget;
  readonly circuit: Circuit;
}

export interface CircuitBreakersSnapshot {
  readonly platforms: readonly {
    readonly platform: string;
    readonly retriesTaken: number;
    readonly retriesDenied: number;
    readonly circuitsOpened: number;
    readonly attemptsRefused: number;
  }[];
  /** One per platform and model: the worst of its paths, or of all `other` models. */
  readonly circuits: readonly {
    readonly platform: string;
    readonly model: string;
    readonly state: CircuitState;
  }[];
}

interface PlatformEntry {
  readonly retries: RetryBudget;
  circuitsOpened: number;
  attemptsRefused: number;
}

interface ModelEntry extends ModelBreaker {
  readonly platform: string;
  readonly label: string;
  usedAtMs: number;
}

/** Callers name models, so circuits must not fill memory. */
const circuitsMax = 1_000;

const evictAfterMs = 60_000;

const other = 'other';

export function createCircuitBreakers(parts: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  /** Other threads call the same models, so their state may be newer. */
  readonly isOneOfSeveral?: boolean;
  /** Above this number, a platform's models without a row share one. */
  readonly circuitsMax?: number;
}): CircuitBreakers {
  const { clock } = parts;
  const platforms = new Map<string, PlatformEntry>();
  const models = new Map<string, ModelEntry>();
  const unusable = new Set<Circuit>();
  return { modelOf, unusable, snapshot };

  function modelOf(row: BreakerModel) {
    const known = models.get(keyOf(row, row.id)) ?? make(row);
    known.usedAtMs = clock.monotonic();
    return known;
  }

  function make(row: BreakerModel): ModelEntry {
    const { id, platform, isListed } = row;
    const isFull = models.size >= (parts.circuitsMax ?? circuitsMax) && !evictIdle();
    // The catalog has a known length, so each of its models has its own circuit.
    const name = isFull && !isListed ? '' : id;
    const known = models.get(keyOf(row, name));
    if (known !== undefined) return known;
    const label = isListed ? id : other;
    const made = createModelEntry(platform, label);
    models.set(keyOf(row, name), made);
    return made;
  }

  function createModelEntry(platform: string, label: string): ModelEntry {
    const mine = platformOf(platform);
    const circuit = openCircuit(parts, { platform, model: label }, { mine, unusable });
    return { retries: mine.retries, circuit, platform, label, usedAtMs: 0 };
  }

  function platformOf(platform: string): PlatformEntry {
    const known = platforms.get(platform);
    if (known !== undefined) return known;
    const made = { retries: createRetryBudget({ clock }), circuitsOpened: 0, attemptsRefused: 0 };
    platforms.set(platform, made);
    return made;
  }

  function evictIdle(): boolean {
    const sinceMs = clock.monotonic() - evictAfterMs;
    for (const [key, { usedAtMs, circuit }] of models) {
      if (usedAtMs >= sinceMs) continue;
      models.delete(key);
      unusable.delete(circuit);
    }
    return models.size < (parts.circuitsMax ?? circuitsMax);
  }

  function stateOf({ circuit, usedAtMs }: ModelEntry): CircuitState {
    const isOld = parts.isOneOfSeveral === true && usedAtMs < clock.monotonic() - evictAfterMs;
    return isOld ? 'closed' : circuit.state();
  }

  function snapshot(): CircuitBreakersSnapshot {
    const circuits = new Map<string, CircuitBreakersSnapshot['circuits'][number]>();
    for (const entry of models.values()) {
      const { platform, label: model } = entry;
      const name = `${platform} ${model}`;
      const state = worse(circuits.get(name)?.state, stateOf(entry));
      circuits.set(name, { platform, model, state });
    }
    return { platforms: [...platforms].map(platformRow), circuits: [...circuits.values()] };
  }
}

function openCircuit(
  { clock, log }: { readonly clock: Pick<Clock, 'monotonic'>; readonly log: Log },
  names: { readonly platform: string; readonly model: string },
  { mine, unusable }: { readonly mine: PlatformEntry; readonly unusable: Set<Circuit> },
): Circuit {
  const circuit = createCircuit({
    clock,
    onChange(state, cause) {
      if (state === 'open') mine.circuitsOpened += 1;
      if (cause !== undefined) unusable.add(circuit);
      else if (state !== 'probing') unusable.delete(circuit);
      if (cause === undefined) logChange(log, names, state);
      else
        log.info(
          { ...names, cause },
          'circuit opened: no response was usable; one probe call is sent per minute',
        );
    },
    onRefusal() {
      mine.attemptsRefused += 1;
    },
    onUnusable: createWarnings(clock, log, names),
  });
  return circuit;
}

const warnedEveryMs = 60_000;

function createWarnings(clock: Pick<Clock, 'monotonic'>, log: Log, names: object) {
  const warnedMs = new Map<UnusableCause, number>();
  return (cause: UnusableCause) => {
    const nowMs = clock.monotonic();
    if (nowMs - (warnedMs.get(cause) ?? Number.NEGATIVE_INFINITY) < warnedEveryMs) return;
    warnedMs.set(cause, nowMs);
    log.warn({ ...names, cause }, `unusable response from the platform: ${unusableCauses[cause]}`);
  };
}

function logChange(log: Log, model: object, state: CircuitState) {
  if (state === 'open')
    log.warn(model, 'circuit opened: the model keeps failing; calls are rejected for 5 s');
  if (state === 'probing') log.info(model, 'circuit half-open: one probe call is sent');
  if (state === 'closed') log.info(model, 'circuit closed: the model works again');
}

function keyOf({ platform, speaks }: BreakerModel, model: string): string {
  return `${speaks?.[0] ?? ''} ${platform} ${model}`;
}

function platformRow([platform, { retries, ...counts }]: [string, PlatformEntry]) {
  const { taken, denied } = retries.counts();
  return { platform, retriesTaken: taken, retriesDenied: denied, ...counts };
}

function worse(one: CircuitState | undefined, another: CircuitState): CircuitState {
  if (one === 'open' || another === 'open') return 'open';
  return one === 'probing' || another === 'probing' ? 'probing' : 'closed';
}

/**
 * Limits retries in an outage: three client attempts times three of the gateway would be nine per
 * call.
 */
interface RetryBudget {
  take(): boolean;
  counts(): { readonly taken: number; readonly denied: number };
}

/** Source: reliability, "load and overload". */
const retriesMax = 100;
/** Ten tokens a second. */
const refillMs = 100;

export function createRetryBudget({ clock }: { clock: Pick<Clock, 'monotonic'> }): RetryBudget {
  /** The time at which the bucket is full again; each retry delays it. */
  let fullAtMs = 0;
  let taken = 0;
  let denied = 0;
  return { take, counts: () => ({ taken, denied }) };

  function take(): boolean {
    const nowMs = clock.monotonic();
    const laterMs = Math.max(fullAtMs, nowMs) + refillMs;
    if (laterMs - nowMs > retriesMax * refillMs) {
      denied += 1;
      return false;
    }
    fullAtMs = laterMs;
    taken += 1;
    return true;
  }
}
