import { hash } from 'node:crypto';
import { sleep } from '@model-gateway/server/lib/clock';
import type { Arena } from './arena/arena.ts';
import type { StageResult } from './arena/stage.ts';
import type { Account, BookedCall, Books, CallResult } from './books/books.ts';
import { type Ledger, readLedger } from './books/ledger.ts';
import { type Bill, billedCalls, readBill } from './books/platform.ts';

/** A shared store notices a dead instance after 10 s, and the next sweep ends its reservations. */
const holdsMsMax = 60_000;

export interface StagesBooks {
  readonly stages: readonly StageResult[];
  readonly accounts: readonly Account[];
  readonly callResults: readonly CallResult[];
  readonly ledgers: readonly Ledger[];
}

/** Waits until nothing is reserved. */
export async function gatherBooks(
  arena: Arena,
  { stages, accounts, callResults, ledgers }: StagesBooks,
): Promise<{ readonly books: Books; readonly bill: Bill }> {
  await untilNothingIsHeld(arena);
  const ledger = await readLedger(arena.store, arena.admin.clock.now());
  const bill = await readBill(arena.simulatorUrl);
  const caps = new Map(stages.flatMap((stage) => [...(stage.caps ?? [])]));
  const books = gather({
    accounts: accounts.map((account) => {
      return { ...account, capPicoUsd: caps.get(account.name) ?? account.capPicoUsd };
    }),
    ...{ stages, callResults, bill, broken: arena.broken },
    ledgers: [ledger, ...ledgers],
  });
  return { books, bill };
}

async function untilNothingIsHeld({ store, context }: Arena): Promise<void> {
  const endsMs = context.clock.monotonic() + holdsMsMax;
  while (context.clock.monotonic() < endsMs) {
    const holds = await store.read({
      sql: 'select call_id from hold limit 1',
      values: [],
      map: (rows) => rows.length,
    });
    if (holds === 0) return;
    await sleep(context.clock, 500);
  }
}

function gather(parts: {
  readonly accounts: readonly Account[];
  readonly stages: readonly StageResult[];
  readonly callResults: readonly CallResult[];
  readonly bill: Bill;
  readonly ledgers: readonly Ledger[];
  readonly broken: readonly string[];
}): Books {
  const { accounts, stages, callResults, bill, ledgers } = parts;
  const own = stages.flatMap(({ books }) => books ?? []);
  const { billed, broken } = billedCalls(bill, accounts);
  const accountOf = (row: { readonly app: string; readonly day: string }) =>
    accounts.find(({ app, day }) => app === row.app && (day ?? row.day) === row.day)?.name ?? '';
  const labels = new Map(
    callResults.map(({ label }) => [hash('sha256', label, 'base64url'), label]),
  );
  const booked = ledgers
    .flatMap(({ calls }) => calls)
    .map((call): BookedCall => {
      const label = call.keyHash === undefined ? undefined : labels.get(call.keyHash);
      return { ...call, account: accountOf(call), label };
    });
  const foreignCalls = booked.filter(({ account }) => account === '').length;
  return {
    accounts: [...accounts, ...own.flatMap((books) => books.accounts)],
    billed: [...billed, ...own.flatMap((books) => books.billed)],
    booked: [...booked, ...own.flatMap((books) => books.booked)],
    callResults: [...callResults, ...own.flatMap((books) => books.callResults)],
    crowds: stages.flatMap(({ crowd }) => crowd ?? []),
    scopes: stages.flatMap((stage) => stage.scopes ?? []),
    budgets: stages.flatMap((stage) => stage.budgets ?? []),
    expectedBookings: stages.flatMap((stage) => stage.expectedBookings ?? []),
    users: stages.flatMap((stage) => stage.users ?? []),
    corrections: new Map(stages.flatMap((stage) => [...(stage.corrections ?? [])])),
    held: [
      ...ledgers.flatMap(({ holds }) =>
        holds.map((hold) => ({ account: accountOf(hold), picoUsd: hold.picoUsd })),
      ),
      ...own.flatMap((books) => books.held),
    ],
    broken: [
      ...parts.broken,
      ...broken,
      ...(foreignCalls === 0 ? [] : [`${foreignCalls} calls are booked for no app`]),
      ...ledgers.flatMap((ledger) => ledger.broken),
      ...stages.flatMap((stage) => stage.broken ?? []),
      ...own.flatMap((books) => books.broken),
    ],
  };
}
