import type { AppConfig } from '../../domain/app.ts';
import { isDecided } from '../../store/port/port.ts';
import { type ProjectBinding, selectApps, selectBindings } from '../../store/queries/registry.ts';
import { ownProject, sharedError } from '../apps/own-projects.ts';
import { changeRegistry } from '../context/change-registry.ts';
import type { AdminContext } from '../context/context.ts';
import { bindingStatements } from './bindings.ts';

export interface DeclaredBinding extends ProjectBinding {
  readonly before: string | undefined;
}

export async function compareProjects(
  { store }: Pick<AdminContext, 'store'>,
  apps: readonly AppConfig[],
): Promise<readonly DeclaredBinding[]> {
  return differing(apps, await store.read(selectBindings));
}

function differing(apps: readonly AppConfig[], bound: readonly ProjectBinding[]) {
  return apps.flatMap(({ name: app, projects = {} }) =>
    Object.entries(projects).flatMap(([platform, projectId]): readonly DeclaredBinding[] => {
      const before = bound.find((row) => row.app === app && row.platform === platform)?.projectId;
      return before === projectId ? [] : [{ app, platform, projectId, before }];
    }),
  );
}

/**
 * The file replaces any binding, since another tool manages its ids. One transaction: throws an
 * AdminError, with nothing changed, for another app's project.
 */
export async function bindDeclared(
  context: AdminContext,
  apps: readonly AppConfig[],
): Promise<readonly DeclaredBinding[]> {
  const bound = await context.store.read(selectBindings);
  const changes = differing(apps, bound);
  if (changes.length === 0) return [];
  const statements = [
    ...changes.flatMap(({ before, ...to }) => bindingStatements(context, to, before)),
    ...changes.map(({ app, projectId }) => ownProject(app, projectId)),
  ];
  if (isDecided(statements, await changeRegistry(context, statements))) return changes;
  refuseShared(changes, bound);
  throw sharedError('a project of the file', undefined);
}

/** Throws {@link bindDeclared}'s AdminError before any part of the file applies. */
export async function checkDeclared(
  { store, company }: Pick<AdminContext, 'store' | 'company'>,
  apps: readonly AppConfig[],
): Promise<void> {
  const bound = await store.read(selectBindings);
  const rows = await store.read(selectApps(company));
  const byCommand = rows.filter(({ origin }) => origin === 'command').map(({ name }) => name);
  const ofFile = apps.filter(({ name }) => !byCommand.includes(name));
  refuseShared(differing(ofFile, bound), bound);
}

function refuseShared(changes: readonly DeclaredBinding[], bound: readonly ProjectBinding[]) {
  const remaining = bound.filter((row) => !changes.some((change) => isSameBinding(row, change)));
  for (const change of changes) {
    const owner = [...remaining, ...changes].find(
      ({ app, projectId }) => app !== change.app && projectId === change.projectId,
    );
    if (owner !== undefined) throw sharedError(change.projectId, owner.app);
  }
}

function isSameBinding(one: ProjectBinding, other: ProjectBinding): boolean {
  return one.app === other.app && one.platform === other.platform;
}
