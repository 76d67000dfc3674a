import { join } from 'node:path';
import { utcDayOf } from '@model-gateway/server/lib/clock';
import { listBudgets } from '@model-gateway/server/operations/budgets/budgets';
import { reopenBudget } from '@model-gateway/server/operations/budgets/operations';
import type { AdminContext } from '@model-gateway/server/operations/context/context';
import { reopenAll } from '@model-gateway/server/operations/days/reopen';
import { reopenWallets } from '@model-gateway/server/operations/wallets/wallets';
import type { Arena } from '../arena/arena.ts';
import { indexes, type StageResult } from '../arena/stage.ts';
import { kindFits, type RestoredKind, restoredKey, restoredKinds } from '../restored/kinds.ts';
import {
  isSamePeriod,
  openRestored,
  type RestoredService,
  runMs,
} from '../restored/open-restored.ts';
import {
  type ClosedBook,
  createRestoredBook,
  endOf,
  type MadeCalls,
} from '../restored/restored-book.ts';

const ages = [
  { name: 'minute-old', ms: 60_000, opens: 'all' },
  { name: 'day-old', ms: 86_400_000, opens: 'each' },
  { name: 'month-old', ms: 31 * 86_400_000, opens: 'all' },
] as const;

type RestoredParts = Pick<Arena, 'context' | 'folder'>;

const callsBeforeCopy = 1;
const callsPerStep = kindFits + 2;

/**
 * Each budget admits nothing until an operator opens it, and then as many calls as the store's rows
 * leave.
 */
export async function restored(parts: RestoredParts): Promise<StageResult> {
  const books = await Promise.all(ages.map((age) => restore(parts, age)));
  return {
    name: 'restored',
    line: `stores put back that are a minute, a day and a month old, ${restoredKinds.length} kinds of budgets closed and opened`,
    books,
    scopes: books.flatMap((book) => book.scopes),
  };
}

async function restore(parts: RestoredParts, age: (typeof ages)[number]): Promise<ClosedBook> {
  const { clock } = parts.context;
  const store = openRestored(parts, join(parts.folder, `${age.name}.db`));
  const kinds = restoredKinds.filter(({ span }) => span !== 'run' || age.ms < runMs);
  const book = createRestoredBook(age.name);
  const callBudget = async (service: RestoredService, kind: RestoredKind, made: Made) => {
    const calls = indexes(made.times).map(() => book.nextCall());
    const ends = calls.map(async (call) => endOf(call.label, await service.send(kind.app, call)));
    book.note(kind, { ...made, ends: await Promise.all(ends) });
  };
  const callBudgets = (service: RestoredService, selected: readonly RestoredKind[], made: Made) =>
    Promise.all(selected.map((kind) => callBudget(service, kind, made)));

  await store.serve(age.ms, async (service) => {
    await callBudgets(service, kinds, {
      when: 'before the copy',
      times: callsBeforeCopy,
      fits: callsBeforeCopy,
    });
  });
  await store.backUp();
  await store.serve(age.ms, async (service) => {
    const fits = kindFits - callsBeforeCopy;
    await callBudgets(service, kinds, { when: 'lost with the copy', times: callsPerStep, fits });
  });
  await store.restore();
  let books: ClosedBook | undefined;
  await store.serve(0, async (service) => {
    const before = utcDayOf(clock.now() - age.ms);
    let closed: readonly RestoredKind[] = kinds;
    await callBudgets(service, closed, { when: 'closed', times: callsPerStep, fits: 0 });
    const opening = { how: age.opens, onFailure: book.noteFailure };
    for await (const opened of open(service.admin, kinds, opening)) {
      closed = closed.filter((kind) => !opened.includes(kind));
      await callBudgets(service, closed, { when: 'closed', times: 1, fits: 0 });
      for (const kind of opened) {
        const isSame = isSamePeriod(kind, before, utcDayOf(clock.now()));
        const fits = kindFits - (isSame ? callsBeforeCopy : 0);
        await callBudget(service, kind, { when: 'opened', times: callsPerStep, fits });
      }
    }
    books = await book.close(store.bill(), service.store, clock.now());
  });
  if (books === undefined) throw new Error(`${age.name}: the service did not work`);
  return books;
}

type Made = Pick<MadeCalls, 'when' | 'fits'> & { readonly times: number };

/** All budgets and then the wallets, or one budget after the other. */
async function* open(
  admin: AdminContext,
  kinds: readonly RestoredKind[],
  { how, onFailure }: { readonly how: 'all' | 'each'; readonly onFailure: (error: Error) => void },
): AsyncGenerator<readonly RestoredKind[]> {
  const single = how === 'each' ? kinds.filter(({ opens }) => opens !== undefined) : [];
  for (const kind of single) {
    const names = (await listBudgets(admin)).map(({ name }) => name);
    const name = kind.opens === restoredKey ? names.find(isOfKey) : kind.opens;
    await reopenBudget(admin, name ?? '').catch(onFailure);
    yield [kind];
  }
  await reopenAll(admin, undefined).catch(onFailure);
  yield kinds.filter((kind) => !single.includes(kind) && kind.scope !== 'wallet');
  await reopenWallets(admin).catch(onFailure);
  yield kinds.filter(({ scope }) => scope === 'wallet');
}

function isOfKey(name: string): boolean {
  return name.startsWith(restoredKey);
}
