import type { Config } from '../domain/config.ts';
import { within } from '../lib/deadline.ts';
import type { StoreShare } from '../store/port/port.ts';
import { readVersion } from '../version.ts';
import { composeService, type Service, type ServiceParts } from './compose.ts';
import { closeMs, type OpenParts } from './open-service.ts';
import { joinStore, openStore } from './open-store.ts';
import { readyAlready } from './ready-store.ts';

export type { StoreShare };

export interface FurtherParts
  extends Pick<OpenParts, 'clock' | 'ids' | 'log' | 'onDeath' | 'simulator'>,
    Required<Pick<ServiceParts, 'threads'>> {
  readonly share: StoreShare | undefined;
}

export interface FurtherService extends Service {
  /** Gives up after a second on a store that does not respond. */
  close(): Promise<unknown>;
}

/**
 * The first thread must run {@link openService} with the same configuration. Throws like it,
 * leaving nothing open.
 */
export async function openFurtherService(
  config: Config,
  parts: FurtherParts,
): Promise<FurtherService> {
  const { share, clock, log, onDeath } = parts;
  const { store: target, keyRing: ring } = config;
  const store =
    share === undefined
      ? await openStore({ target, ring, onDeath, log })
      : await joinStore(share, { onDeath, log });
  // A connection to an unavailable database may stay open for minutes.
  const close = () => within(clock, closeMs, store.close());
  try {
    // Only the first thread serves the console; every thread counts its own rejections for it.
    const further = { ...config, console: { ...config.console, enabled: false } };
    const hasConsole = config.console.enabled;
    const ready = readyAlready();
    const version = readVersion();
    const service = await composeService({
      ...{ ...parts, config: further, store, ready, version, hasConsole },
    });
    return { ...service, close };
  } catch (error) {
    await close();
    throw error;
  }
}
