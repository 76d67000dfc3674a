import { sleep } from '@model-gateway/server/lib/clock';
import { big, int, text } from '@model-gateway/server/store/schema/columns';
import type { Arena } from '../arena/arena.ts';

export interface Wallet {
  readonly paidPicoUsd: bigint;
  readonly heldPicoUsd: bigint;
}

const waitMsMax = 45_000;
const pollMs = 50;

export function readWallets(
  { store }: Pick<Arena, 'store'>,
  apps: readonly string[],
): Promise<ReadonlyMap<string, Wallet>> {
  return store.read({
    sql: `
      select user_id, spent_grant + spent_topup as paid, held_grant as held
        from wallet_month
       where app in (${namesOf(apps)})`,
    values: apps,
    map: (rows) => {
      const wallets = new Map<string, Wallet>();
      for (const row of rows) {
        const { paidPicoUsd, heldPicoUsd } = wallets.get(text(row, 'user_id')) ?? emptyWallet;
        wallets.set(text(row, 'user_id'), {
          paidPicoUsd: paidPicoUsd + big(row, 'paid'),
          heldPicoUsd: heldPicoUsd + big(row, 'held'),
        });
      }
      return wallets;
    },
  });
}

/** The wallet of a user without calls. */
export const emptyWallet: Wallet = { paidPicoUsd: 0n, heldPicoUsd: 0n };

/** Users whose service sent the whole response before it saw the caller disconnect. */
export function readSent(
  { store }: Pick<Arena, 'store'>,
  apps: readonly string[],
): Promise<ReadonlySet<string>> {
  return store.read({
    sql: `select user_id from call where code = 'OK' and app in (${namesOf(apps)})`,
    values: apps,
    map: (rows) => new Set(rows.map((row) => text(row, 'user_id'))),
  });
}

export interface RunningCalls {
  /** Of all users or of one; stops after a time limit. */
  until(isSo: (running: number) => boolean, userId?: string): Promise<void>;
}

/** All concurrent waiters share one statement. */
export function watchRunning(
  { store, context: { clock } }: Pick<Arena, 'store' | 'context'>,
  apps: readonly string[],
): RunningCalls {
  let pendingRead: Promise<ReadonlyMap<string, number>> | undefined;
  return {
    async until(isSo, userId) {
      const endsMs = clock.monotonic() + waitMsMax;
      while (!isSo(countOf(await read(), userId)) && clock.monotonic() < endsMs) {
        await sleep(clock, pollMs);
      }
    },
  };

  function read(): Promise<ReadonlyMap<string, number>> {
    pendingRead ??= store
      .read({
        sql: `
          select coalesce(user_id, '') as owner, count(*) as calls
            from hold
           where app in (${namesOf(apps)})
           group by coalesce(user_id, '')`,
        values: apps,
        map: (rows) => new Map(rows.map((row) => [text(row, 'owner'), int(row, 'calls')])),
      })
      .finally(() => {
        pendingRead = undefined;
      });
    return pendingRead;
  }
}

function countOf(running: ReadonlyMap<string, number>, userId: string | undefined): number {
  if (userId !== undefined) return running.get(userId) ?? 0;
  return [...running.values()].reduce((total, calls) => total + calls, 0);
}

export function watchEnds(calls: readonly Promise<unknown>[]): { hasOne(): boolean } {
  let ended = 0;
  for (const call of calls) void call.finally(() => ended++);
  return { hasOne: () => ended > 0 };
}

export function countCalls({ store }: Pick<Arena, 'store'>, app: string): Promise<number> {
  return store.read({
    sql: 'select count(*) as calls from call where app = $1',
    values: [app],
    map: ([row]) => (row === undefined ? 0 : int(row, 'calls')),
  });
}

function namesOf(apps: readonly string[]): string {
  return apps.map((_, index) => `$${index + 1}`).join(', ');
}
