import type { AlertType } from '../../domain/notify.ts';
import { parseUsd } from '../../lib/money.ts';
import type { Store } from '../../store/port/port.ts';
import { type SentAlert, selectSentAlerts } from '../../store/queries/sent-alerts.ts';
import type { AlertEvent } from '../events.ts';
import { budgetKeyOf, type CheckedPeriods } from './budget-use.ts';

export interface SentEvent {
  /** Undefined unless read from the store. */
  readonly id: string | undefined;
  /** The budget at that time; undefined without a budget. */
  readonly capPicoUsd: bigint | undefined;
}

/**
 * A cache that saves a query every few seconds; the store rejects duplicates anyway. Events of
 * other processes may be missing.
 */
export interface SentEvents {
  /** Keyed by budget and period; the inner keys are from {@link sentKeyOf}. */
  of(budgetKey: string): ReadonlyMap<string, SentEvent> | undefined;
  has(event: AlertEvent): boolean;
  add(event: AlertEvent): void;
  remove(budgetKey: string, key: string): void;
}

export function sentKeyOf(type: AlertType | string, mark: string): string {
  return `${type}\n${mark}`;
}

export async function readSentEvents(
  store: Pick<Store, 'read'>,
  periods: CheckedPeriods,
): Promise<SentEvents> {
  const [now, before = now] = periods;
  const sent = createSentEvents();
  const named = [now.day, now.month, before.day, before.month] as const;
  for (const row of await store.read(selectSentAlerts(...named))) {
    sent.put(row, { id: row.id, capPicoUsd: capIn(row) });
  }
  return sent;
}

function createSentEvents(): SentEvents & { put(event: Named, sent: SentEvent): void } {
  const byBudget = new Map<string, Map<string, SentEvent>>();
  return { of: (budgetKey) => byBudget.get(budgetKey), has, add, remove, put };

  function has({ subject: scope, period, type, mark }: Named): boolean {
    return byBudget.get(budgetKeyOf({ scope, period }))?.has(sentKeyOf(type, mark)) === true;
  }

  function add(event: AlertEvent) {
    const { capUsd } = event.data;
    put(event, { id: undefined, capPicoUsd: usdOf(capUsd) });
  }

  function put({ subject: scope, period, type, mark }: Named, sent: SentEvent) {
    const budgetKey = budgetKeyOf({ scope, period });
    const sentByKey = byBudget.get(budgetKey) ?? new Map<string, SentEvent>();
    sentByKey.set(sentKeyOf(type, mark), sent);
    byBudget.set(budgetKey, sentByKey);
  }

  function remove(budgetKey: string, key: string) {
    byBudget.get(budgetKey)?.delete(key);
  }
}

type Named = Pick<SentAlert, 'subject' | 'period' | 'type' | 'mark'>;

/** Any version may have written the body; undefined without a budget. */
function capIn({ body }: SentAlert): bigint | undefined {
  const data: unknown = JSON.parse(body);
  if (typeof data !== 'object' || data === null || !('capUsd' in data)) return undefined;
  return usdOf(data.capUsd);
}

function usdOf(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseUsd(value) : undefined;
}
