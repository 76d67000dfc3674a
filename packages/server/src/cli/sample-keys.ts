import type { AdminContext } from '../admin/context.ts';
import { disableKey } from '../admin/keys.ts';
import type { Config } from '../domain/config.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import type { Log } from '../lib/log.ts';
import { keyNameFor } from '../registry/key-name.ts';
import { type ApiKeyRow, selectKeys } from '../registry/queries.ts';
import { isLoopback } from './listen.ts';

/** To whom the first start issues an app's key: an address that nobody can have. */
export function sampleEmail(app: string): string {
  return `team@${app}.example`;
}

/**
 * Ends the keys that a first start has printed, as soon as a platform is configured that bills:
 * they are in terminals and logs, where whoever reads them could spend money. A key that somebody
 * enables again stays. Stores of before have no marks: what looks like such a key is warned of.
 */
export async function endSampleKeys(
  admin: AdminContext,
  config: Pick<Config, 'platforms'>,
  log: Log,
): Promise<void> {
  const [platform] = config.platforms.filter(bills).map(({ name }) => name);
  if (platform === undefined) return;
  const enabled = (await admin.store.read(selectKeys)).filter(({ isEnabled }) => isEnabled);
  for (const key of enabled) {
    const { id, customerId: app } = key;
    if (key.isSample) {
      const reason = `the first start printed this key, and ${platform} bills`;
      await disableKey({ ...admin, reason }, id);
      log.warn(
        { key: id, app, platform },
        `the first start printed this key, and a platform bills: it was disabled; "model-gateway keys issue --app ${app}" makes another, "keys enable ${id}" keeps it`,
      );
    } else if (looksLikeSample(key)) {
      log.warn(
        { key: id, app, platform },
        `this key looks like one that a first start has printed, and a platform bills: "model-gateway keys disable ${id}" ends it`,
      );
    }
  }
}

/** A server of one's own on this very machine sends no bill. */
function bills({ kind, baseUrl }: PlatformConfig): boolean {
  if (kind === 'simulator') return false;
  if (kind !== 'openai-compatible' || baseUrl === undefined) return true;
  return !isLoopback(new URL(baseUrl).hostname);
}

function looksLikeSample({ name, customerId: app }: ApiKeyRow): boolean {
  return name === keyNameFor({ app, email: sampleEmail(app), adminEmail: undefined });
}
