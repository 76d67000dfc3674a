import type { AdminContext } from '../admin/context.ts';
import { declareMissing } from '../admin/declared-apps.ts';
import { fileActor } from '../admin/file-actor.ts';
import { withAdmin } from '../compose/open-admin.ts';
import type { Config } from '../domain/config.ts';
import { type ChangeOptions, reasonOf } from './change-options.ts';
import { commandLog } from './command-log.ts';
import { type CommandContext, operator, readConfig } from './context.ts';

/** What a command does on a store: an operation of `admin`, with what it asks between. */
export type AdminWork<T> = (admin: AdminContext, config: Config) => Promise<T>;

/** Reads the configuration and opens the store for one command; `--reason` is its operator's. */
export async function onStore<T>(
  context: CommandContext,
  options: ChangeOptions,
  work: AdminWork<T>,
): Promise<T> {
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const { clock, ids } = context;
  const log = commandLog(context);
  const parts = { clock, ids, actor: operator(context.environment), reason, log };
  return withAdmin(config, parts, (admin) => work(admin, config));
}

/** The same, with the apps that the file declares in the store before any service has started. */
export function onApps<T>(
  context: CommandContext,
  options: ChangeOptions,
  work: AdminWork<T>,
): Promise<T> {
  return onStore(context, options, async (admin, config) => {
    const declaring = { ...admin, actor: fileActor(config), reason: undefined };
    const refusals = await declareMissing(declaring, config.apps);
    for (const refusal of refusals) context.warn(refusal);
    return work(admin, config);
  });
}
