import type { JsonObject } from '@model-gateway/contract';
import { nextUtcMonthMs, utcMonthOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import type { Store } from '../../store/port/port.ts';
import {
  selectMeteredApps,
  selectWalletPage,
  type WalletUse,
} from '../../store/queries/alert-facts.ts';
import { selectSentAlertsOf } from '../../store/queries/sent-alerts.ts';
import type { AlertEvent } from '../events.ts';
import type { Pseudonyms } from '../pseudonyms.ts';

/** At most one digest an hour for each app. */
export interface WalletDigests {
  /** Looks at more wallets; returns digests that are not sent yet. */
  events(nowMs: number): Promise<readonly AlertEvent[]>;
  markSent(event: AlertEvent): void;
}

/** Other users are in the next hours' digests. */
const usersMax = 100;

/** The ledger's thread reads them between its batches. */
const pageMax = 500;
const pagesMax = 4;

interface Search {
  readonly hour: string;
  readonly month: string;
  readonly apps: string[];
  app: string | undefined;
  after: string;
  users: JsonObject[];
  notifiedUsers: ReadonlySet<string>;
}

export function createWalletDigests(
  store: Pick<Store, 'read'>,
  pseudonyms: () => Promise<Pseudonyms>,
): WalletDigests {
  let search: Search | undefined;
  const waiting = new Map<string, AlertEvent>();
  return {
    async events(nowMs) {
      const hour = new Date(nowMs).toISOString().slice(0, 'YYYY-MM-DDTHH'.length);
      if (search?.hour !== hour) search = await beginSearch(hour, utcMonthOf(nowMs));
      for (let pages = 0; pages < pagesMax && search.app !== undefined; pages++) {
        await searchPage(search, search.app, nowMs);
      }
      return [...waiting.values()];
    },
    markSent: ({ subject }) => void waiting.delete(subject),
  };

  async function beginSearch(hour: string, month: string): Promise<Search> {
    const apps = [...(await store.read(selectMeteredApps))];
    const begun: Search = {
      ...{ hour, month, apps, app: undefined, after: '', users: [] },
      notifiedUsers: new Set(),
    };
    await nextApp(begun);
    return begun;
  }

  async function nextApp(search: Search) {
    for (;;) {
      const app = search.apps.shift();
      if (app === undefined) {
        search.app = undefined;
        return;
      }
      const sent = await store.read(selectSentAlertsOf('wallet.low', subjectOf(app), search.month));
      if (waiting.has(subjectOf(app)) || sent.some(({ mark }) => mark === search.hour)) continue;
      const notifiedUsers = new Set(sent.flatMap(({ body }) => usersIn(JSON.parse(body))));
      Object.assign(search, { app, notifiedUsers, after: '', users: [] });
      return;
    }
  }

  async function searchPage(search: Search, app: string, nowMs: number) {
    const { month, after, notifiedUsers, users } = search;
    const page = await store.read(selectWalletPage({ app, month, after, limit: pageMax }));
    const low = page.filter(isLow);
    if (low.length > 0) {
      const pseudonymOf = await pseudonyms();
      for (const { userId, remaining, granted } of low) {
        const user = pseudonymOf(app, userId);
        if (notifiedUsers.has(user) || users.length === usersMax) continue;
        users.push({ user, leftUsd: formatUsd(remaining), grantedUsd: formatUsd(granted) });
      }
    }
    search.after = page.at(-1)?.userId ?? '';
    if (page.length === pageMax && users.length < usersMax) return;
    if (users.length > 0) waiting.set(subjectOf(app), digestOf(app, search, nowMs));
    await nextApp(search);
  }
}

/** At most a tenth of the month's grant, with top-ups. */
function isLow({ granted, remaining }: WalletUse): boolean {
  return granted > 0n && remaining * 10n <= granted;
}

function subjectOf(app: string): string {
  return `app:${app}`;
}

function digestOf(app: string, { hour, month, users }: Search, atMs: number): AlertEvent {
  const resetsAt = new Date(nextUtcMonthMs(Date.parse(`${month}-01`))).toISOString();
  return {
    ...{ type: 'wallet.low', subject: subjectOf(app), period: month, mark: hour },
    ...{ atMs, apps: [app], data: { app, month, users, resetsAt } },
  };
}

function usersIn(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null || !('users' in data)) return [];
  const { users } = data;
  if (!Array.isArray(users)) return [];
  return users.flatMap((row: unknown) => {
    if (typeof row !== 'object' || row === null || !('user' in row)) return [];
    return typeof row.user === 'string' ? [row.user] : [];
  });
}
