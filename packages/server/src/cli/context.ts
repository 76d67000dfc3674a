import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type AdminContext, createAdminContext } from '../admin/context.ts';
import { declareMissing } from '../admin/declared-apps.ts';
import { fileActor } from '../admin/file-actor.ts';
import { chooseConfigFile } from '../config/choose-file.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import { silentLog } from '../lib/silent-log.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/port.ts';
import { UsageError } from './usage-error.ts';

export { UsageError };

/** What a command gets from its process. */
export interface CommandContext {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
  /** Prints a line on standard error. */
  readonly warn: (line: string) => void;
  readonly readStandardInput: () => Promise<string>;
  /** Asks the person at the terminal for a line; missing where there is none. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** Options that stand before or after every command. */
export interface CommonOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Reads the configuration. Throws a UsageError with one line a problem. */
export function readConfig(context: CommandContext, options: CommonOptions): Config {
  const { environment } = context;
  const file = chooseConfigFile({ option: options.config, environment });
  const loaded = loadConfig({
    file,
    environment,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  if ('config' in loaded) return loaded.config;
  throw new UsageError(loaded.problems.join('\n'));
}

/** Opens the store for one command, and closes it whatever it does; `reason` is its operator's. */
export async function withAdmin<T>(
  context: CommandContext,
  config: Config,
  work: (admin: AdminContext) => Promise<T>,
  reason?: string,
): Promise<T> {
  const store = await openStore({
    target: config.store,
    onDeath: (error) => context.warn(error.message),
    log: silentLog,
  });
  try {
    return await work({ ...adminOf(context, config, store), reason });
  } finally {
    await store.close();
  }
}

/** The same, with the apps that the file declares in the store before any service has started. */
export function withApps<T>(
  context: CommandContext,
  config: Config,
  work: (admin: AdminContext) => Promise<T>,
  reason?: string,
): Promise<T> {
  return withAdmin(context, config, async (admin) => {
    const declaring = { ...admin, actor: fileActor(config) };
    for (const refusal of await declareMissing(declaring, config.apps)) context.warn(refusal);
    return work({ ...admin, reason });
  });
}

/** An operator at the command line. */
export function adminOf(
  context: CommandContext,
  config: Pick<Config, 'company' | 'adminEmail'>,
  store: Store,
): AdminContext {
  const { clock, ids } = context;
  const { company, adminEmail } = config;
  return createAdminContext({ store, clock, ids, company, adminEmail, actor: operator() });
}

/** Who sits at this machine, for the audit log. */
export function operator(): string {
  return `cli:${userName()}`;
}

/** A container may run under a number that no user has. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user database has no entry for this process: the audit log cannot name it.
    return 'unknown';
  }
}
