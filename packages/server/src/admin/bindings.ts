import { projectIdOf } from '@model-gateway/simulator';
import type { Log } from '../lib/log.ts';
import type { Platform } from '../platforms/port.ts';
import { type ProjectBinding, selectApps, selectBindings } from '../registry/queries.ts';
import type { Statement } from '../store/port.ts';
import { auditLine, type Office, revisionBump } from './office.ts';
import * as sql from './statements.ts';

/**
 * Binds an app to its project on a platform; `news` are further lines of the audit log. An app that
 * is bound to it already stays as it is.
 */
export async function bindProject(
  office: Office,
  binding: ProjectBinding,
  news: readonly Statement[] = [],
): Promise<void> {
  const { app, platform, projectId } = binding;
  const bound = await office.store.read(selectBindings);
  const before = bound.find((row) => row.app === app && row.platform === platform)?.projectId;
  if (before === projectId && news.length === 0) return;
  await office.store.write([...news, ...bindingStatements(office, binding, before), revisionBump]);
}

/** Forgets every binding, and answers them. The platforms are not asked: they keep the projects. */
export async function forgetBindings(office: Office): Promise<readonly ProjectBinding[]> {
  const bindings = await office.store.read(selectBindings);
  if (bindings.length === 0) return [];
  await office.store.write([
    ...bindings.flatMap(({ app, platform, projectId }) => [
      { sql: sql.forgetBinding, values: [app, platform, projectId] },
      auditLine(office, {
        action: 'project.forget',
        subject: `${app} on ${platform}`,
        before: projectId,
      }),
    ]),
    revisionBump,
  ]);
  return bindings;
}

function bindingStatements(
  office: Office,
  binding: ProjectBinding,
  before: string | undefined,
): readonly Statement[] {
  const { app, platform, projectId } = binding;
  return [
    { sql: sql.bindProject, values: [app, platform, projectId] },
    auditLine(office, {
      action: 'project.bind',
      subject: `${app} on ${platform}`,
      before,
      after: projectId,
    }),
  ];
}

/**
 * Binds every app on every simulator, and creates what a simulator lacks: its projects are gone
 * when its process ends, and their ids are derived from their names. A simulator that is away keeps
 * nobody from starting: its calls fail until it is back.
 */
export async function bindSimulatorProjects(
  office: Office,
  simulators: readonly Platform[],
  log: Log,
): Promise<void> {
  const apps = await office.store.read(selectApps(office.company));
  const bound = await office.store.read(selectBindings);
  const boundTo = new Map(
    bound.map(({ app, platform, projectId }) => [`${app} ${platform}`, projectId]),
  );
  const missing: Statement[] = [];
  for (const platform of simulators) {
    for (const app of apps) {
      const projectId = projectIdOf(app.project);
      await platform.projects?.ensure(app.project).catch((error: unknown) => {
        const where = { platform: platform.name, app: app.name };
        log.warn({ ...where, error: String(error) }, 'the simulator has no project for this app');
      });
      const before = boundTo.get(`${app.name} ${platform.name}`);
      if (before === projectId) continue;
      const binding = { app: app.name, platform: platform.name, projectId };
      missing.push(...bindingStatements(office, binding, before));
    }
  }
  if (missing.length > 0) await office.store.write([...missing, revisionBump]);
}
