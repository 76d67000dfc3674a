import { join } from 'node:path';
import { systemClock } from '../../../../server/src/lib/clock.ts';
import { highestRatesOf, openArena } from '../../../src/attack/arena/arena.ts';
import { anyClient, createCallers } from '../../../src/attack/arena/callers.ts';
import { createChance } from '../../../src/attack/arena/chance.ts';
import { judgeBudgets } from '../../../src/attack/budget-verdict.ts';
import { members } from '../../../src/attack/stages/members.ts';
import { context, makeFaultyStore } from './faulty-store.ts';

/** Runs only the stage of members, on services whose store has the faults of the SQL. */
export async function attackMembers(folder: string, name: string, faults: string) {
  const path = join(folder, `${name}.db`);
  await makeFaultyStore(path, faults);
  const storeUrl = `sqlite:${path}`;
  const arena = await openArena(context, { storeUrl, keep: undefined, threads: 1 });
  try {
    const chance = createChance(7);
    const callers = createCallers({
      clientOf: (account) => anyClient(arena.urls(), arena.key(account), chance),
      clock: systemClock,
      isOver: arena.isClosed,
    });
    const result = await members({ arena, callers, chance, highestRates: highestRatesOf(context) });
    const budgets = judgeBudgets(result.budgets ?? []);
    const scopes = (result.scopes ?? []).map(({ name: scope, fits, crowd }) => {
      const own = callers.callResults.filter(({ label }) => crowd.has(label));
      return [scope, own.filter(({ kind }) => kind === 'answered').length - fits] as const;
    });
    return {
      ...result,
      callResults: callers.callResults,
      budgets,
      admittedTooMany: Object.fromEntries(scopes),
    };
  } finally {
    await arena.close('SIGKILL');
  }
}
