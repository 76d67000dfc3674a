import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CommandContext } from '../../../../server/src/cli/context.ts';
import { systemClock } from '../../../../server/src/lib/clock.ts';
import { createIds } from '../../../../server/src/lib/id.ts';
import { silentLog } from '../../../../server/src/lib/log.ts';
import { openStore } from '../../../../server/src/store/open.ts';
import { dearestOf, openArena } from '../../../src/attack/arena.ts';
import { judgeBudgets } from '../../../src/attack/budget-verdict.ts';
import { anyClient, createCallers } from '../../../src/attack/callers.ts';
import { createChance } from '../../../src/attack/chance.ts';
import { members } from '../../../src/attack/stages/members.ts';

const context: CommandContext = {
  clock: systemClock,
  environment: {},
  ids: createIds(systemClock),
  print: () => undefined,
  warn: () => undefined,
  readStandardInput: async () => '',
};

/** Runs the stage of members alone, on services whose store has the faults of some SQL. */
export async function attackMembers(folder: string, name: string, faults: string) {
  const path = join(folder, `${name}.db`);
  await makeStore(path, faults);
  const storeUrl = `sqlite:${path}`;
  const arena = await openArena(context, { storeUrl, keep: undefined, threads: 1 });
  try {
    const chance = createChance(7);
    const callers = createCallers({
      clientOf: (account) => anyClient(arena.urls(), arena.key(account), chance),
      clock: systemClock,
      isOver: arena.isClosed,
    });
    const result = await members({ arena, callers, chance, dearest: dearestOf(context) });
    const budgets = judgeBudgets(result.budgets ?? []);
    const scopes = (result.scopes ?? []).map(({ name: scope, fits, crowd }) => {
      const own = callers.told.filter(({ label }) => crowd.has(label));
      return [scope, own.filter(({ kind }) => kind === 'answered').length - fits] as const;
    });
    return { ...result, told: callers.told, budgets, admittedTooMany: Object.fromEntries(scopes) };
  } finally {
    await arena.close('SIGKILL');
  }
}

async function makeStore(path: string, faults: string): Promise<void> {
  const onDeath = (error: Error) => {
    throw error;
  };
  const store = await openStore({ target: { kind: 'sqlite', path }, onDeath, log: silentLog });
  await store.close();
  const database = new DatabaseSync(path);
  database.exec(faults);
  database.close();
}
