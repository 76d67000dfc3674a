import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../domain/config.ts';
import { unboundSentence } from '../domain/unbound-app.ts';
import type { Log } from '../lib/log.ts';
import { unboundApps } from '../operations/projects/unbound-apps.ts';
import type { Registry } from '../registry/registry.ts';

const linesMax = 10;

/** Calls of these apps to that platform are rejected. */
export function logUnbound(
  log: Log,
  parts: {
    readonly config: Pick<Config, 'platforms'>;
    readonly catalog: Catalog;
    readonly registry: Pick<Registry, 'apps'>;
  },
): void {
  const { config, catalog, registry } = parts;
  const enabled = registry.apps().filter(({ isEnabled }) => isEnabled);
  const apps = enabled.map(({ name, models, projectIds, sharedProjects }) => {
    return { name, models, platforms: [...projectIds.keys(), ...sharedProjects.keys()] };
  });
  const unbound = unboundApps(apps, { catalog, platforms: config.platforms });
  for (const each of unbound.slice(0, linesMax)) log.warn({ ...each }, unboundSentence(each));
  const more = unbound.length - linesMax;
  if (more <= 0) return;
  log.warn({ more }, 'more apps have no project: "model-gateway platforms check" names them');
}
