import { hash } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import { listedNames } from '../../lib/nearest.ts';
import type { ProjectTags } from '../../platforms/billing/projects.ts';
import type { Platform } from '../../platforms/model/port.ts';
import { sharedBindings } from '../../registry/shared-projects.ts';
import { isDecided, type Statement } from '../../store/port/port.ts';
import { beginSpan, endSpan } from '../../store/queries/invoices.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import {
  type AppRow,
  type ProjectBinding,
  selectApp,
  selectApps,
  selectBindings,
  selectBindingsOf,
} from '../../store/queries/registry.ts';
import { ownProject, refuseDefault, sharedError } from '../apps/own-projects.ts';
import { auditLine } from '../context/audit-line.ts';
import { changeRegistry } from '../context/change-registry.ts';
import type { AdminContext } from '../context/context.ts';

export type { ProjectBinding };

/**
 * `extraStatements` are more audit lines. A repeated binding changes nothing. Throws an AdminError
 * when the project is shared or another app's.
 */
export async function bindProject(
  context: AdminContext,
  binding: ProjectBinding,
  extraStatements: readonly Statement[] = [],
): Promise<void> {
  const { app, platform, projectId } = binding;
  refuseDefault(projectId);
  const ofApp = await context.store.read(selectBindingsOf(app));
  const before = ofApp.find((row) => row.platform === platform)?.projectId;
  const changes = before === projectId ? [] : bindingStatements(context, binding, before);
  const statements = [...extraStatements, ...changes, ownProject(app, projectId)];
  // An unchanged binding needs no new revision, but it may still share a project.
  const isChange = statements.length > 1;
  const counts = isChange
    ? await changeRegistry(context, statements)
    : await context.store.write(statements);
  if (isDecided(statements, counts)) return;
  const bound = await context.store.read(selectBindings);
  const owner = bound.find((row) => row.projectId === projectId && row.app !== app);
  throw sharedError(projectId, owner?.app);
}

export function listBindings({ store }: AdminContext): Promise<readonly ProjectBinding[]> {
  return store.read(selectBindings);
}

export async function deleteBindings(context: AdminContext): Promise<readonly ProjectBinding[]> {
  const bindings = await context.store.read(selectBindings);
  if (bindings.length === 0) return [];
  const statements = bindings.flatMap(({ app, platform, projectId }) => [
    { sql: sql.deleteBinding, values: [app, platform, projectId] },
    endSpan(app, platform, context.clock.now()),
    auditLine(context, {
      action: 'project.forget',
      subject: `${app} on ${platform}`,
      before: projectId,
    }),
  ]);
  await changeRegistry(context, statements);
  return bindings;
}

export function bindingStatements(
  context: AdminContext,
  binding: ProjectBinding,
  before: string | undefined,
): readonly Statement[] {
  const { app, platform, projectId } = binding;
  const since = context.clock.now();
  return [
    { sql: sql.bindProject.sql, values: sql.bindProject.bind(binding) },
    endSpan(app, platform, since),
    // The first project also accounts for bills from before the first binding.
    beginSpan({
      app,
      platform,
      projectId,
      since: before === undefined ? 0 : since,
      until: undefined,
    }),
    auditLine(context, {
      action: 'project.bind',
      subject: `${app} on ${platform}`,
      before,
      after: projectId,
    }),
  ];
}

/**
 * A simulator's projects end with its process; names determine their ids. An unavailable simulator
 * does not block startup: calls fail until it is back. Skips apps with a shared project name, whose
 * calls are rejected.
 */
export async function bindSimulatorProjects(
  context: AdminContext,
  simulators: readonly Platform[],
  log: Log,
  names?: ReadonlySet<string>,
): Promise<void> {
  if (simulators.length === 0) return;
  const apps = await appsNamed(context, names);
  const targets: ProjectBinding[] = [];
  for (const platform of simulators) {
    await ensureProjects(platform, apps, log);
    for (const { name: app, project } of apps) {
      targets.push({ app, platform: platform.name, projectId: simulatorProjectId(project) });
    }
  }
  if (names !== undefined && (await areBound(context, names, targets))) return;
  const changes = changedAmong(targets, await context.store.readForOperator(selectBindings), log);
  if (changes.length === 0) return;
  const statements = [
    ...changes.flatMap(({ before, ...to }) => bindingStatements(context, to, before)),
    ...changes.map(({ app, projectId }) => ownProject(app, projectId)),
  ];
  const counts = await changeRegistry(context, statements);
  if (!isDecided(statements, counts)) {
    log.error(
      {},
      'a simulator project is already bound to another app; bind the other app to a different project',
    );
  }
}

async function ensureProjects(
  { name: platform, projects }: Platform,
  apps: readonly AppRow[],
  log: Log,
): Promise<void> {
  if (projects === undefined) return;
  const message = 'could not create projects for these apps on the simulator';
  const targets = apps.map(({ name: app, project }) => ({
    ...{ name: project, tags: ownTags({ app, project }) },
  }));
  try {
    const ensured = await projects.ensure(targets);
    const failed = apps.flatMap(({ name: app, project }) => {
      const result = ensured.get(project);
      return result !== undefined && 'error' in result ? [{ app, error: result.error }] : [];
    });
    const [first] = failed;
    if (first === undefined) return;
    const names = listedNames(failed.map(({ app }) => app));
    log.warn({ platform, apps: names, error: String(first.error) }, message);
  } catch (error) {
    const names = listedNames(apps.map(({ name }) => name));
    log.warn({ platform, apps: names, error: String(error) }, message);
  }
}

/** Undefined: all. */
async function appsNamed(
  { store, company }: AdminContext,
  names: ReadonlySet<string> | undefined,
): Promise<readonly AppRow[]> {
  if (names === undefined) return store.readForOperator(selectApps(company));
  const rows = await Promise.all([...names].map((name) => store.read(selectApp(name, company))));
  return rows.filter((row) => row !== undefined);
}

async function areBound(
  { store }: AdminContext,
  names: ReadonlySet<string>,
  targets: readonly ProjectBinding[],
): Promise<boolean> {
  const bound = await Promise.all([...names].map((name) => store.read(selectBindingsOf(name))));
  const idOf = ({ app, platform, projectId }: ProjectBinding) => `${app} ${platform} ${projectId}`;
  const ids = new Set(bound.flat().map(idOf));
  return targets.every((binding) => ids.has(idOf(binding)));
}

/** Applies the simulator's rule, which saves a request. */
export function simulatorProjectId(name: string): string {
  return `proj_${hash('sha256', name).slice(0, 20)}`;
}

/** Excludes bindings that would share a project. */
function changedAmong(
  targets: readonly ProjectBinding[],
  bound: readonly ProjectBinding[],
  log: Log,
): readonly (ProjectBinding & { readonly before: string | undefined })[] {
  const nameOf = ({ app, platform }: ProjectBinding) => `${app} ${platform}`;
  const before = new Map(bound.map((binding) => [nameOf(binding), binding.projectId]));
  const all = new Map([...bound, ...targets].map((binding) => [nameOf(binding), binding]));
  const sharings = sharedBindings([...all.values()]);
  const shared = new Map(sharings.map((sharing) => [nameOf(sharing), sharing]));
  return targets.flatMap((binding) => {
    const name = nameOf(binding);
    if (before.get(name) === binding.projectId) return [];
    const sharing = shared.get(name);
    if (sharing === undefined) return [{ ...binding, before: before.get(name) }];
    const { app, platform, others } = sharing;
    log.error({ app, platform, others }, 'apps share one project name; give each app its own');
    return [];
  });
}

/** Tags that identify an app's project in cost reports. */
export function ownTags(line: { readonly app: string; readonly project: string }): ProjectTags {
  return { app: line.app, project: line.project };
}
