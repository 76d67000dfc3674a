import { existsSync } from 'node:fs';
import type { Catalog } from '../catalog/catalog.ts';
import type { PartConfig } from '../config/parts.ts';
import { unboundSentence } from '../domain/unbound-app.ts';
import { adminFailureOf } from '../operations/context/admin-error.ts';
import type { AdminContext } from '../operations/context/context.ts';
import {
  boundApps,
  declaredApps,
  needsBinding,
  unboundApps,
} from '../operations/projects/unbound-apps.ts';
import type { CommandContext, CommonOptions } from './process/context.ts';

type ReadConfig = Pick<PartConfig<'apps'>, 'store' | 'apps'> & {
  readonly platforms: PartConfig<'catalog'>['catalog']['platforms'];
};

/** A sentence each. A store that does not answer is one warning. */
export async function unboundLines(
  context: CommandContext,
  options: CommonOptions,
  { config, catalog }: { readonly config: ReadConfig; readonly catalog: Catalog },
): Promise<readonly string[]> {
  const served = { catalog, platforms: config.platforms };
  const { apps: declared } = config;
  if (!config.platforms.some(needsBinding)) return [];
  const apps = hasStore(config)
    ? await readStore(context, options, (admin) => boundApps(admin, declared))
    : declaredApps(declared);
  return unboundApps(apps ?? [], served).map(unboundSentence);
}

/** Undefined without a store that answers: a check needs none. */
export async function readStore<T>(
  context: CommandContext,
  options: CommonOptions,
  read: (admin: AdminContext) => Promise<T>,
): Promise<T | undefined> {
  const { onStore } = await import('./process/run-admin.ts');
  try {
    return await onStore(context, options, read);
  } catch (error) {
    const failure = adminFailureOf(error);
    if (failure?.kind !== 'away') throw error;
    context.warn(`the apps of the store were not read: ${failure.message}`);
    return undefined;
  }
}

/** Opening an SQLite store creates it, which a check must not do. */
export function hasStore({ store }: Pick<PartConfig<never>, 'store'>): boolean {
  return store.kind !== 'sqlite' || existsSync(store.path);
}
