import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../domain/config.ts';
import { didYouMean } from '../lib/nearest.ts';

/** Unknown models, and a port that would fail only at listening; a line each, with its path. */
export function doubts(
  { apps, listen, admin }: Pick<Config, 'apps' | 'listen' | 'admin'>,
  catalog: Pick<Catalog, 'list' | 'aliases'>,
): readonly string[] {
  const known = [...catalog.list(), ...catalog.aliases()].map(({ id }) => id);
  const models = apps.flatMap(({ name, models: allowed = [] }, index) =>
    [...allowed]
      .filter((id) => !known.includes(id))
      .map((id) => {
        const cure = didYouMean(id, known) || '"models list" shows the models';
        return `apps[${index}].models: the catalog has no model "${id}", which ${name} may call; ${cure}`;
      }),
  );
  if (listen.port !== admin.port || listen.port === 0) return models;
  const port = `admin.port: ${admin.port} is the port of listen too; give each its own port`;
  return [...models, port];
}
