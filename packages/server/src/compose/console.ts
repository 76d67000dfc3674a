import { readAssets } from '../admin-api/assets.ts';
import { createGuesses } from '../admin-api/auth/guesses.ts';
import { createIdentify } from '../admin-api/auth/identify.ts';
import { createOidc } from '../admin-api/auth/oidc.ts';
import { type Console, createConsole } from '../admin-api/console.ts';
import { loadRoutes } from '../admin-api/routes.ts';
import { createUploads } from '../admin-api/uploads/uploads.ts';
import { createViews } from '../admin-api/views/views.ts';
import { systemClock } from '../lib/clock.ts';
import type { AdminContext } from '../operations/context/context.ts';
import type { LiveState } from '../operations/context/live-state.ts';
import type { Instance } from './instance.ts';
import type { Models } from './models.ts';

export async function createServiceConsole(
  { config, live: configured, log, version, processClock }: Instance,
  parts: {
    readonly admin: AdminContext;
    readonly models: Models;
    readonly live: LiveState;
  },
): Promise<Console | undefined> {
  if (!config.console.enabled) return undefined;
  const { admin, models, live } = parts;
  const { catalog } = models;
  const platforms = [...models.platforms.values()];
  const views = createViews(admin, { config, catalog, log, live });
  const guesses = createGuesses(processClock);
  const { oidc } = config.console;
  return createConsole({
    ...{ admin, routes: await loadRoutes() },
    parts: {
      ...{ catalog, platforms, log, version, guesses, ...views },
      uploads: createUploads(systemClock),
      oidc: oidc && createOidc(oidc, processClock),
      get config() {
        return configured.config;
      },
    },
    identify: createIdentify(admin, config),
    assets: readAssets(),
  });
}
