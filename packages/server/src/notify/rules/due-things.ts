import { readClosed, summaryOf } from '../../registry/closed-budgets.ts';
import type { Store } from '../../store/port/port.ts';
import {
  type EndingKey,
  selectEndingKeys,
  selectUnpriced,
} from '../../store/queries/alert-facts.ts';
import type { AlertEvent } from '../events.ts';
import type { CheckedPeriods } from './budget-use.ts';

const dayMs = 86_400_000;

const leads = [
  { mark: '7d', days: 7 },
  { mark: '1d', days: 1 },
] as const;

/** Reports keys a week and a day before they expire. */
export async function keyEvents(
  store: Pick<Store, 'read'>,
  nowMs: number,
): Promise<readonly AlertEvent[]> {
  const keys = await store.read(selectEndingKeys(nowMs, nowMs + leads[0].days * dayMs));
  return keys.flatMap((key) => endingOf(key, nowMs) ?? []);
}

/** Returns only the last due lead, and none that was due when the key was created. */
function endingOf(key: EndingKey, nowMs: number): AlertEvent | undefined {
  const { id, app, createdAt, expiresAt } = key;
  const lead = leads.findLast(({ days }) => expiresAt - nowMs <= days * dayMs);
  if (lead === undefined || createdAt >= expiresAt - lead.days * dayMs) return undefined;
  const period = new Date(expiresAt).toISOString();
  return {
    ...{ type: 'key.expiring', subject: `key:${id}`, period, mark: lead.mark },
    ...{ atMs: nowMs, apps: [app] },
    data: { app, key: id, expiresAt: period, days: lead.days },
  };
}

/** Raised once for each restore. */
export async function closedEvents(
  store: Pick<Store, 'read'>,
  nowMs: number,
): Promise<readonly AlertEvent[]> {
  const closed = await readClosed((query) => store.read(query), nowMs);
  const { count, names, restoredAt } = summaryOf(closed);
  if (count === 0) return [];
  return [
    {
      ...{ type: 'budget.closed', subject: 'store', period: restoredAt, mark: '', atMs: nowMs },
      data: { restoredAt, count, budgets: names },
    },
  ];
}

/** Raised once for each app and day. */
export async function priceEvents(
  store: Pick<Store, 'read'>,
  periods: CheckedPeriods,
  atMs: number,
): Promise<readonly AlertEvent[]> {
  const days = await Promise.all(
    periods
      .filter((each) => each !== undefined)
      .map(async ({ day }) => {
        const uses = await store.read(selectUnpriced(day));
        return uses.map(({ app, model, calls }): AlertEvent => {
          return {
            ...{ type: 'price.unknown', subject: `app:${app}`, period: day, mark: model, atMs },
            ...{ apps: [app], data: { app, model, day, calls } },
          };
        });
      }),
  );
  return days.flat();
}
