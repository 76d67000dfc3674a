import type { Catalog } from '../../catalog/catalog.ts';
import type { AppConfig } from '../../domain/app.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import type { UnboundApp } from '../../domain/unbound-app.ts';
import { selectApps, selectBindings } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';

interface BoundApp {
  readonly name: string;
  /** Undefined: every model. */
  readonly models: Iterable<string> | undefined;
  readonly platforms: Iterable<string>;
}

interface ServedModels {
  readonly catalog: Pick<Catalog, 'list' | 'isRetired' | 'alias' | 'model'>;
  readonly platforms: readonly Pick<PlatformFacts, 'name' | 'kind'>[];
}

/** Returns one entry per app and platform that rejects its calls. */
export function unboundApps(
  apps: readonly BoundApp[],
  { catalog, platforms }: ServedModels,
): readonly UnboundApp[] {
  const billing = platforms.filter(needsBinding);
  if (billing.length === 0) return [];
  const all = namesOf(catalog.list().filter((model) => !catalog.isRetired(model)));
  return apps.flatMap(({ name: app, models, platforms: bound }) => {
    const used = models === undefined ? all : namesOf([...models].flatMap(modelsOf));
    const having = new Set(bound);
    return billing
      .filter(({ name }) => used.has(name) && !having.has(name))
      .map(({ name: platform }) => ({ app, platform }));
  });

  function modelsOf(id: string) {
    return catalog.alias(id)?.models ?? [catalog.model(id)];
  }
}

/** False for simulators, since startup binds apps there. */
export function needsBinding({ kind }: Pick<PlatformFacts, 'kind'>): boolean {
  return factsOf(kind).projects === 'bound';
}

function namesOf(models: readonly { readonly platform: string }[]): ReadonlySet<string> {
  return new Set(models.map(({ platform }) => platform));
}

export async function boundApps(
  { store, company }: Pick<AdminContext, 'store' | 'company'>,
  declared: readonly AppConfig[],
): Promise<readonly BoundApp[]> {
  const rows = await store.read(selectApps(company));
  const bindings = Map.groupBy(await store.read(selectBindings), ({ app }) => app);
  const ofFile = new Map(declared.map((app) => [app.name, app]));
  const stored = rows.filter(({ isEnabled }) => isEnabled);
  const known = new Set(rows.map(({ name }) => name));
  return [
    ...stored.map(({ name, models }) => {
      const bound = (bindings.get(name) ?? []).map(({ platform }) => platform);
      return { name, models, platforms: [...bound, ...projectsOf(ofFile.get(name))] };
    }),
    ...declaredApps(declared.filter(({ name }) => !known.has(name))),
  ];
}

export function declaredApps(declared: readonly AppConfig[]): readonly BoundApp[] {
  const enabled = declared.filter((app) => app.enabled !== false);
  return enabled.map((app) => ({ ...app, models: app.models, platforms: projectsOf(app) }));
}

function projectsOf(app: AppConfig | undefined): readonly string[] {
  return Object.keys(app?.projects ?? {});
}
