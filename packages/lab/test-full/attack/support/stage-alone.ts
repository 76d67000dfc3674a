import { systemClock } from '../../../../server/src/lib/clock.ts';
import { accountsOf } from '../../../src/attack/arena/accounts.ts';
import { highestRatesOf, openArena } from '../../../src/attack/arena/arena.ts';
import { anyClient, createCallers } from '../../../src/attack/arena/callers.ts';
import { createChance } from '../../../src/attack/arena/chance.ts';
import type { Stage } from '../../../src/attack/arena/stage.ts';
import { gatherBooks } from '../../../src/attack/gather-books.ts';
import { verdict } from '../../../src/attack/verdict.ts';
import { context } from './faulty-store.ts';

/** Runs only one stage, and judges the accounts of its calls. */
export async function attackAlone(
  stage: Stage,
  at: { readonly storeUrl: string; readonly threads?: number; readonly seed?: number },
) {
  const { storeUrl, threads = 1, seed = 7 } = at;
  const arena = await openArena(context, { storeUrl, keep: undefined, threads });
  try {
    const chance = createChance(seed);
    const callers = createCallers({
      clientOf: (account) => anyClient(arena.urls(), arena.key(account), chance),
      clock: systemClock,
      isOver: arena.isClosed,
    });
    const highestRates = highestRatesOf(context);
    const result = await stage({ arena, callers, chance, highestRates });
    const { books } = await gatherBooks(arena, {
      stages: [result],
      accounts: accountsOf(highestRates, []),
      callResults: callers.callResults,
      ledgers: [],
    });
    const judged = verdict(books);
    const names = new Set(callers.callResults.map(({ account }) => account));
    const accounts = judged.accounts.filter(({ name }) => names.has(name));
    return { ...judged, line: result.line, accounts, books };
  } finally {
    await arena.close('SIGKILL');
  }
}
