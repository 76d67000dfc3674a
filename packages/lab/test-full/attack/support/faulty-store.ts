import { DatabaseSync } from 'node:sqlite';
import type { CommandContext } from '../../../../server/src/cli/process/context.ts';
import { openStore } from '../../../../server/src/compose/open-store.ts';
import { systemClock } from '../../../../server/src/lib/clock.ts';
import { createIds } from '../../../../server/src/lib/id.ts';
import { silentLog } from '../../../../server/src/lib/log.ts';

/** The context of a stage that prints nothing. */
export const context: CommandContext = {
  clock: systemClock,
  environment: {},
  ids: createIds(systemClock),
  print: () => undefined,
  warn: () => undefined,
  readStandardInput: async () => '',
};

/** Makes a store with faults, so real services with a real ledger have them. */
export async function makeFaultyStore(path: string, faults: string): Promise<void> {
  const onDeath = (error: Error) => {
    throw error;
  };
  const store = await openStore({ target: { kind: 'sqlite', path }, onDeath, log: silentLog });
  await store.close();
  const database = new DatabaseSync(path);
  database.exec(faults);
  database.close();
}
