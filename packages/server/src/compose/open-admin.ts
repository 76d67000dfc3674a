import type { Config } from '../domain/config.ts';
import type { Log } from '../lib/log.ts';
import { silentLog } from '../lib/silent-log.ts';
import type { AdminContext } from '../operations/context/context.ts';
import { createAdminContext } from '../operations/context/context.ts';
import { logLines } from '../store/schema/log-lines.ts';
import { openStoreForCommand } from './open-store.ts';

export interface AdminParts extends Pick<AdminContext, 'clock' | 'ids' | 'actor' | 'reason'> {
  readonly log?: Pick<Log, 'info'> | undefined;
}

/** Closes the store even when the work throws. */
export async function withAdmin<T>(
  config: Pick<Config, 'store' | 'keyRing' | 'company' | 'adminEmail'>,
  parts: AdminParts,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const { store: target, keyRing: ring, company, adminEmail } = config;
  const { log, ...rest } = parts;
  const onLines = log && logLines(log);
  const store = await openStoreForCommand({ target, ring, log: silentLog, onLines });
  try {
    return await work(createAdminContext({ store, company, adminEmail, ...rest }));
  } finally {
    await store.close();
  }
}
