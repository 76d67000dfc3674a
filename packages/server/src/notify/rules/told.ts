import type { AlertType } from '../../domain/notify.ts';
import { parseUsd } from '../../lib/money.ts';
import type { Store } from '../../store/port/port.ts';
import { selectTold, type ToldAlert } from '../../store/queries/told-alerts.ts';
import type { AlertEvent } from '../events.ts';
import { type LookedAt, placeOf } from './budget-use.ts';

export interface Told {
  /** Undefined unless read from the store. */
  readonly id: string | undefined;
  /** The cap at that time; undefined without one. */
  readonly capPicoUsd: bigint | undefined;
}

/**
 * Saves the store a question every few seconds; it refuses duplicates anyway. Events of other
 * processes may be missing.
 */
export interface ToldEvents {
  /** By budget or app and period, with keys of {@link toldKeyOf}. */
  of(place: string): ReadonlyMap<string, Told> | undefined;
  has(event: AlertEvent): boolean;
  add(event: AlertEvent): void;
  forget(place: string, key: string): void;
}

export function toldKeyOf(type: AlertType | string, mark: string): string {
  return `${type}\n${mark}`;
}

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

/** Any version may have written the body; undefined without a cap. */
function capIn({ body }: ToldAlert): bigint | undefined {
  const data: unknown = JSON.parse(body);
  if (typeof data !== 'object' || data === null || !('capUsd' in data)) return undefined;
  return usdOf(data.capUsd);
}

function usdOf(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseUsd(value) : undefined;
}
