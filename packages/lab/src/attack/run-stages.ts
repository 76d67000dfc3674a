import { hash } from 'node:crypto';
import { sleep } from '@model-gateway/server/lib/clock';
import { accountsOf } from './accounts.ts';
import type { Arena } from './arena.ts';
import type { Account, BookedCall, Books, ToldCall } from './books/books.ts';
import { type Ledger, readLedger } from './books/ledger.ts';
import { type Bill, billedCalls, readBill } from './books/platform.ts';
import { anyClient, createCallers } from './callers.ts';
import { createChance } from './chance.ts';
import { crowd } from './stages/crowd.ts';
import { duplicates } from './stages/duplicates.ts';
import { floods } from './stages/floods.ts';
import { kills, stayClearOfMidnight } from './stages/kills.ts';
import { losses } from './stages/losses.ts';
import { members } from './stages/members.ts';
import { midnight } from './stages/midnight.ts';
import { normalizing } from './stages/normalizing.ts';
import { overstated } from './stages/overstated.ts';
import { restored } from './stages/restored.ts';
import { scopes } from './stages/scopes.ts';
import { secondService } from './stages/second-service.ts';
import type { Stage, StageParts, StageResult } from './stages/stage.ts';
import { streams } from './stages/streams.ts';
import { surfaces } from './stages/surfaces.ts';
import { forbidden, unpriced } from './stages/unpriced.ts';

/** What the stages left behind. */
export interface Attacked {
  readonly books: Books;
  readonly stages: readonly StageResult[];
  readonly billText: string;
}

/** Stages beside each other, as a company's apps are. */
const atOnceStages: readonly Stage[] = [
  crowd,
  duplicates,
  unpriced,
  forbidden,
  normalizing,
  overstated,
  losses,
  streams,
  surfaces,
  scopes,
];

/** All of them, without those that need time for themselves, take less than this. */
const stagesMsMax = 120_000;
/** Stores that are put back have a time of their own: no day of theirs may end meanwhile. */
const restoredMsMax = 60_000;
/** A dead instance is known after 10 s on a shared store, and its holds end with the next sweep. */
const holdsMsMax = 60_000;

/** Runs every stage, waits until nothing is held, and gathers the books. */
export async function runStages(
  parts: Pick<StageParts, 'arena' | 'dearest'> & { readonly seed: number },
  killsMs: number,
): Promise<Attacked> {
  const { arena, dearest, seed } = parts;
  const chanceOf = (stage: string) =>
    createChance(seed ^ hash('sha256', stage, 'buffer').readInt32LE());
  const chance = chanceOf('callers');
  await stayClearOfMidnight(arena, stagesMsMax);
  const callers = createCallers({
    clientOf: (account) => anyClient(arena.urls(), arena.key(account), chance),
    clock: arena.context.clock,
    isOver: arena.isClosed,
  });
  const partsOf = (stage: string) => ({ arena, dearest, callers, chance: chanceOf(stage) });
  const [atMidnight, second, ...atOnce] = await Promise.all([
    midnight(partsOf('midnight')),
    secondService(partsOf('replicas')),
    ...atOnceStages.map((stage) => stage(partsOf(stage.name))),
  ]);
  arena.context.warn('Spending while services are killed …');
  const underKills = await kills(partsOf('kills'), killsMs);
  arena.context.warn('Changing the members of a budget …');
  const ofMembers = await members(partsOf('members'));
  await stayClearOfMidnight(arena, restoredMsMax);
  const ofRestored = await restored(arena);
  const underFloods = await floods(partsOf('floods'));
  await untilNothingIsHeld(arena);

  const ledger = await readLedger(arena.store, arena.admin.clock.now());
  const bill = await readBill(arena.simulatorUrl);
  const stages = [
    ...atOnce,
    ...atMidnight.stages,
    underKills,
    ofMembers,
    underFloods,
    ofRestored,
    second,
  ];
  const caps = new Map(stages.flatMap((stage) => [...(stage.caps ?? [])]));
  const accounts = accountsOf(dearest, atMidnight.days).map((account) => ({
    ...account,
    capPicoUsd: caps.get(account.name) ?? account.capPicoUsd,
  }));
  const told = [...callers.told, ...atMidnight.told];
  const ledgers = [ledger, atMidnight.ledger];
  const books = gather({ accounts, stages, told, bill, ledgers, broken: arena.broken });
  return { books, stages, billText: bill.text };
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
  readonly told: readonly ToldCall[];
  readonly bill: Bill;
  readonly ledgers: readonly Ledger[];
  readonly broken: readonly string[];
}): Books {
  const { accounts, stages, told, bill, ledgers } = parts;
  const own = stages.flatMap(({ books }) => books ?? []);
  const { billed, broken } = billedCalls(bill, accounts);
  const accountOf = (row: { readonly app: string; readonly day: string }) =>
    accounts.find(({ app, day }) => app === row.app && (day ?? row.day) === row.day)?.name ?? '';
  const labels = new Map(told.map(({ label }) => [hash('sha256', label, 'base64url'), label]));
  const booked = ledgers
    .flatMap(({ calls }) => calls)
    .map((call): BookedCall => {
      const label = call.keyHash === undefined ? undefined : labels.get(call.keyHash);
      return { ...call, account: accountOf(call), label };
    });
  const strangers = booked.filter(({ account }) => account === '').length;
  return {
    accounts: [...accounts, ...own.flatMap((books) => books.accounts)],
    billed: [...billed, ...own.flatMap((books) => books.billed)],
    booked: [...booked, ...own.flatMap((books) => books.booked)],
    told: [...told, ...own.flatMap((books) => books.told)],
    crowds: stages.flatMap(({ crowd }) => crowd ?? []),
    scopes: stages.flatMap((stage) => stage.scopes ?? []),
    budgets: stages.flatMap((stage) => stage.budgets ?? []),
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
      ...(strangers === 0 ? [] : [`${strangers} calls are booked for no app`]),
      ...ledgers.flatMap((ledger) => ledger.broken),
      ...stages.flatMap((stage) => stage.broken ?? []),
      ...own.flatMap((books) => books.broken),
    ],
  };
}
