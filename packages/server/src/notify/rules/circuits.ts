import type { Store } from '../../store/port/port.ts';
import * as sql from '../../store/queries/circuits.ts';
import { selectLatest } from '../../store/queries/sent-alerts.ts';
import type { AlertEvent } from '../events.ts';

export interface Circuits {
  snapshot(): {
    readonly circuits: readonly {
      readonly platform: string;
      readonly model: string;
      readonly state: 'closed' | 'open' | 'probing';
    }[];
  };
}

/** Writes only circuits that are not closed, and only changes. */
export function createCircuitReport(
  store: Pick<Store, 'write'>,
  circuits: Circuits,
  instanceId: string,
): (nowMs: number) => Promise<void> {
  const reported = new Map<string, { readonly platform: string; readonly model: string }>();
  return async (nowMs) => {
    const open = new Map(
      circuits
        .snapshot()
        .circuits.filter(({ state }) => state !== 'closed')
        .map((circuit) => [subjectOf(circuit), circuit]),
    );
    for (const [subject, circuit] of open) {
      if (reported.has(subject)) continue;
      await store.write([sql.circuitOpened(instanceId, { ...circuit, since: nowMs })]);
      reported.set(subject, circuit);
    }
    for (const [subject, circuit] of reported) {
      if (open.has(subject)) continue;
      await store.write([sql.circuitClosed(instanceId, circuit)]);
      reported.delete(subject);
    }
  };
}

/** A circuit that closed more recently may still be open elsewhere. */
const mergedMs = 10_000;

/** Circuits of an instance without heartbeats are ignored. */
const aliveMs = 10_000;

interface Outage {
  readonly platform: string;
  readonly model: string;
  readonly since: string;
  /** Monotonic time; undefined while a process has the circuit open. */
  closedAtMs: number | undefined;
}

/** All processes that share a store share its outages. */
export interface OutageRules {
  events(nowMs: number, monotonicMs: number): Promise<readonly AlertEvent[]>;
  markSent(event: AlertEvent): void;
}

export function createOutageRules(store: Pick<Store, 'read'>): OutageRules {
  let outages: Map<string, Outage> | undefined;
  return { events, markSent };

  async function events(nowMs: number, monotonicMs: number): Promise<readonly AlertEvent[]> {
    const open = await store.read(sql.selectOpenCircuits(nowMs - aliveMs));
    outages ??= await readOutages(store);
    // Another process may have reported an outage since the last read.
    if (open.some((circuit) => outages?.has(subjectOf(circuit)) === false)) {
      outages = await readOutages(store);
    }
    const now = new Map(open.map((circuit) => [subjectOf(circuit), circuit]));
    const begun = open.filter((circuit) => outages?.has(subjectOf(circuit)) === false);
    const ended: AlertEvent[] = [];
    for (const [subject, outage] of outages) {
      outage.closedAtMs = now.has(subject) ? undefined : (outage.closedAtMs ?? monotonicMs);
      const isOver = outage.closedAtMs !== undefined && monotonicMs - outage.closedAtMs >= mergedMs;
      if (isOver) ended.push(eventOf('platform.circuit_closed', outage, nowMs));
    }
    const isoOf = (circuit: sql.OpenCircuit) => {
      const since = new Date(circuit.since).toISOString();
      return eventOf('platform.circuit_opened', { ...circuit, since }, nowMs);
    };
    return [...begun.map(isoOf), ...ended];
  }

  function markSent({ type, subject, period, data }: AlertEvent) {
    if (type === 'platform.circuit_closed') outages?.delete(subject);
    if (type !== 'platform.circuit_opened') return;
    outages?.set(subject, { ...circuitIn(data), since: period, closedAtMs: undefined });
  }
}

async function readOutages(store: Pick<Store, 'read'>): Promise<Map<string, Outage>> {
  const types = ['platform.circuit_opened', 'platform.circuit_closed'] as const;
  const outages = new Map<string, Outage>();
  const over = new Set<string>();
  for (const { type, subject, period, body } of await store.read(selectLatest(types))) {
    const name = `${subject}\n${period}`;
    if (type === types[1]) over.add(name);
    else if (!over.has(name) && !outages.has(subject)) {
      outages.set(subject, {
        ...circuitIn(JSON.parse(body)),
        since: period,
        closedAtMs: undefined,
      });
    }
  }
  return outages;
}

function subjectOf({ platform, model }: Pick<Outage, 'platform' | 'model'>): string {
  return `${platform}/${model}`;
}

function circuitIn(data: {
  readonly [field: string]: unknown;
}): Pick<Outage, 'platform' | 'model'> {
  const { platform, model } = data;
  return { platform: String(platform), model: String(model) };
}

function eventOf(
  type: 'platform.circuit_opened' | 'platform.circuit_closed',
  { platform, model, since }: Pick<Outage, 'platform' | 'model' | 'since'>,
  atMs: number,
): AlertEvent {
  const subject = subjectOf({ platform, model });
  return { type, subject, period: since, mark: '', atMs, data: { platform, model, since } };
}
