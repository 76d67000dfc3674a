import assert from 'node:assert/strict';
import type { Platform } from '../platforms/port.ts';
import {
  createOrFind,
  type Projects,
  ProjectsError,
  projectOfName,
} from '../platforms/projects.ts';
import { selectBindings } from '../store/queries/registry.ts';
import { AdminError } from './admin-error.ts';
import { auditLine } from './audit-line.ts';
import { bindProject } from './bindings.ts';
import type { AdminContext } from './context.ts';
import { withLease } from './lease.ts';
import { ownTags } from './own-tags.ts';
import {
  type AppliedProject,
  type PlannedProject,
  planProjects,
  standingOf,
} from './project-plan.ts';
import { tagProjects } from './project-tags.ts';

export type { AppliedProject };

/**
 * Creates the projects that are missing, adopts those that are there, and binds each app to its
 * own. It goes on where one fails; what it did before stays, and a repeated apply does the rest.
 */
export async function applyProjects(
  context: AdminContext,
  platforms: readonly Platform[],
): Promise<readonly AppliedProject[]> {
  const byName = new Map(platforms.map((platform) => [platform.name, platform]));
  const away = new Map<string, string>();
  const applied: AppliedProject[] = [];
  for (const line of await planProjects(context, platforms)) {
    const projects = byName.get(line.platform)?.projects;
    applied.push(await applyLine(line, projects));
  }
  return tagProjects(byName, applied);

  async function applyLine(
    line: PlannedProject,
    projects: Projects | undefined,
  ): Promise<AppliedProject> {
    const { state } = line;
    if (state === 'unknown') return { ...line, state: 'failed' };
    if (state !== 'adopt' && state !== 'create') return { ...line, state };
    const reason = away.get(line.platform);
    if (reason !== undefined) return failed(line, reason);
    assert(projects !== undefined, 'only a platform that lists its projects has such a line');
    try {
      return await settle(context, line, projects);
    } catch (error) {
      if (error instanceof ProjectsError || error instanceof AdminError) {
        // Each further question to a platform that is away would wait as long as this one did.
        const isAway = error instanceof ProjectsError && error.isAway;
        if (isAway) away.set(line.platform, `not tried: ${line.platform} gave ${error.message}`);
        return failed(line, error.message);
      }
      throw error;
    }
  }
}

function failed(line: PlannedProject, note: string): AppliedProject {
  return { ...line, projectId: null, state: 'failed', note };
}

/** Not every platform keeps names unique, so two at once are kept apart by the store. */
function settle(
  context: AdminContext,
  line: PlannedProject,
  projects: Projects,
): Promise<AppliedProject> {
  const { app, platform, project: name } = line;
  return withLease(context, `the project ${name} on ${platform}`, async () => {
    const bindings = await context.store.read(selectBindings);
    const bound = bindings.find((one) => one.app === app && one.platform === platform);
    if (bound !== undefined) return { ...line, projectId: bound.projectId, state: 'bound' };
    const found = projectOfName(await projects.list(), name);
    const standing = standingOf(found);
    if (standing.state === 'archived' || standing.state === 'ambiguous') {
      return { ...line, ...standing, state: standing.state };
    }
    const { project, wasCreated } =
      found.kind === 'active'
        ? { project: found.project, wasCreated: false }
        : await createOrFind(projects, name, { ...tagsOf(context), ...ownTags(line) });
    const subject = `${name} on ${platform}`;
    const news = wasCreated
      ? [auditLine(context, { action: 'project.create', subject, after: project.id })]
      : [];
    await bindProject(context, { app, platform, projectId: project.id }, news);
    return { ...line, projectId: project.id, state: wasCreated ? 'created' : 'adopted' };
  });
}

function tagsOf({ company }: AdminContext) {
  return { 'managed-by': 'model-gateway', company };
}
