import type { AdminContext } from '../admin/context.ts';
import type { LiveState } from '../admin/live-state.ts';
import { readAssets } from '../console/assets.ts';
import { createGuesses } from '../console/auth/guesses.ts';
import { createIdentify } from '../console/auth/identify.ts';
import { createOidc } from '../console/auth/oidc.ts';
import { type Console, createConsole } from '../console/console.ts';
import { createLooking } from '../console/looking.ts';
import { routes } from '../console/routes.ts';
import { createUploads } from '../console/uploads/uploads.ts';
import { systemClock } from '../lib/clock.ts';
import type { Instance } from './instance.ts';
import type { Models } from './models.ts';

/** The console of a service; undefined where the configuration has none. */
export function createServiceConsole(
  { config, live: configured, log, version, processClock }: Instance,
  parts: {
    readonly admin: AdminContext;
    readonly models: Models;
    readonly live: LiveState;
  },
): Console | undefined {
  if (!config.console.enabled) return undefined;
  const { admin, models, live } = parts;
  const { catalog } = models;
  const platforms = [...models.platforms.values()];
  const looking = createLooking(admin, { config, catalog, log, live });
  const guesses = createGuesses(processClock);
  const { oidc } = config.console;
  return createConsole({
    ...{ admin, routes },
    parts: {
      ...{ catalog, platforms, log, version, guesses, ...looking },
      uploads: createUploads(systemClock),
      oidc: oidc && createOidc(oidc, processClock),
      get config() {
        return configured.current();
      },
    },
    identify: createIdentify(admin, config),
    assets: readAssets(),
  });
}
