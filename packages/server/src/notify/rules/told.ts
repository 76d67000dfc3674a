import type { AlertType } from '../../domain/notify.ts';
import { parseUsd } from '../../lib/money.ts';
import type { Store } from '../../store/port.ts';
import { selectTold, type ToldAlert } from '../../store/queries/told-alerts.ts';
import type { AlertEvent } from '../events.ts';
import { type LookedAt, placeOf } from './budget-use.ts';

/** An event that is in the store. */
export interface Told {
  /** Undefined for one that was not read of it. */
  readonly id: string | undefined;
  /** The cap that it was told of; undefined where it was of none. */
  readonly capPicoUsd: bigint | undefined;
}

/**
 * What was told of the periods that are looked at: the store refuses an event that it has, but it
 * is not asked every few seconds. What others have told meanwhile may be missing.
 */
export interface ToldEvents {
  /** What was told of a budget or an app in a period, by the keys of {@link toldKeyOf}. */
  of(place: string): ReadonlyMap<string, Told> | undefined;
  has(event: AlertEvent): boolean;
  add(event: AlertEvent): void;
  /** A mark may be told again. */
  forget(place: string, key: string): void;
}

/** What names an event among those of its place. */
export function toldKeyOf(type: AlertType | string, mark: string): string {
  return `${type}\n${mark}`;
}

/** Reads what was told of some periods. */
export async function readTold(store: Pick<Store, 'read'>, periods: LookedAt): Promise<ToldEvents> {
  const [now, before = now] = periods;
  const told = createTold();
  const named = [now.day, now.month, before.day, before.month] as const;
  for (const row of await store.read(selectTold(...named))) {
    told.put(row, { id: row.id, capPicoUsd: capIn(row) });
  }
  return told;
}

function createTold(): ToldEvents & { put(event: Named, told: Told): void } {
  const places = new Map<string, Map<string, Told>>();
  return { of: (place) => places.get(place), has, add, forget, put };

  function has({ subject: scope, period, type, mark }: Named): boolean {
    return places.get(placeOf({ scope, period }))?.has(toldKeyOf(type, mark)) === true;
  }

  function add(event: AlertEvent) {
    const { capUsd } = event.data;
    put(event, { id: undefined, capPicoUsd: usdOf(capUsd) });
  }

  function put({ subject: scope, period, type, mark }: Named, told: Told) {
    const place = placeOf({ scope, period });
    const known = places.get(place) ?? new Map<string, Told>();
    known.set(toldKeyOf(type, mark), told);
    places.set(place, known);
  }

  function forget(place: string, key: string) {
    places.get(place)?.delete(key);
  }
}

type Named = Pick<ToldAlert, 'subject' | 'period' | 'type' | 'mark'>;

/** A body is what some version has written: one without a cap was told of none. */
function capIn({ body }: ToldAlert): bigint | undefined {
  const data: unknown = JSON.parse(body);
  if (typeof data !== 'object' || data === null || !('capUsd' in data)) return undefined;
  return usdOf(data.capUsd);
}

function usdOf(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseUsd(value) : undefined;
}
