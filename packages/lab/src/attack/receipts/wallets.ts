import { sleep } from '@model-gateway/server/lib/clock';
import { big, int, text } from '@model-gateway/server/store/columns';
import type { Arena } from '../arena.ts';

/** What a wallet has paid and reserves, of all months. */
export interface Wallet {
  readonly paidPicoUsd: bigint;
  readonly heldPicoUsd: bigint;
}

const waitMsMax = 45_000;

/** Reads the wallets of some apps by plain SQL, by their users. */
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

/** That of a user without calls. */
export const emptyWallet: Wallet = { paidPicoUsd: 0n, heldPicoUsd: 0n };

/** Waits until as many calls run as wanted, it is over, or it has waited for too long. */
export async function untilRunning(
  { store, context: { clock } }: Pick<Arena, 'store' | 'context'>,
  { apps, userId }: { readonly apps: readonly string[]; readonly userId?: string },
  isSo: (running: number) => boolean,
): Promise<void> {
  const endsMs = clock.monotonic() + waitMsMax;
  const user = userId === undefined ? '' : ` and user_id = $${apps.length + 1}`;
  for (;;) {
    const running = await store.read({
      sql: `select count(*) as calls from hold where app in (${namesOf(apps)})${user}`,
      values: userId === undefined ? apps : [...apps, userId],
      map: ([row]) => (row === undefined ? 0 : int(row, 'calls')),
    });
    if (isSo(running) || clock.monotonic() > endsMs) return;
    await sleep(clock, 50);
  }
}

/** Whether one of some calls has ended, whatever it came to. */
export function watchEnds(calls: readonly Promise<unknown>[]): { hasOne(): boolean } {
  let ended = 0;
  for (const call of calls) void call.finally(() => ended++);
  return { hasOne: () => ended > 0 };
}

/** How many calls of an app are booked. */
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
