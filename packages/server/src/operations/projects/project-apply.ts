import assert from 'node:assert/strict';
import {
  type CreatedProject,
  createMissing,
  type Project,
  type ProjectMatch,
  type Projects,
  ProjectsError,
  projectsByName,
} from '../../platforms/billing/projects.ts';
import type { Platform } from '../../platforms/model/port.ts';
import { selectBindings } from '../../store/queries/registry.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import { withLease } from '../context/lease.ts';
import type { AppliedProject, PlannedProject } from '../documents/projects.ts';
import { bindProject, ownTags } from './bindings.ts';
import { planProjects, statusOf } from './project-plan.ts';

/**
 * Creates or adopts projects, and binds them. Continues after a failure; applying again does the
 * rest.
 */
export async function applyProjects(
  context: AdminContext,
  platforms: readonly Platform[],
): Promise<readonly AppliedProject[]> {
  const byName = new Map(platforms.map((platform) => [platform.name, platform]));
  const planned = await planProjects(context, platforms);
  const applied = new Map<PlannedProject, AppliedProject>();
  for (const [name, lines] of Map.groupBy(planned.filter(isOpen), ({ platform }) => platform)) {
    const projects = byName.get(name)?.projects;
    assert(projects !== undefined, 'only a platform that lists its projects has such lines');
    for (const [line, result] of await applyTo(context, name, projects, lines)) {
      applied.set(line, result);
    }
  }
  const all = planned.map((line) => applied.get(line) ?? asPlanned(line));
  return tagProjects(byName, all);
}

function isOpen({ state }: PlannedProject): boolean {
  return state === 'adopt' || state === 'create';
}

function asPlanned(line: PlannedProject): AppliedProject {
  assert(!isOpen(line), 'each open line was applied');
  return line.state === 'unknown' ? { ...line, state: 'failed' } : line;
}

/**
 * Lists projects once per platform. Not every platform keeps names unique, so the store's lease
 * separates concurrent applies.
 */
async function applyTo(
  context: AdminContext,
  platform: string,
  projects: Projects,
  lines: readonly PlannedProject[],
): Promise<ReadonlyMap<PlannedProject, AppliedProject>> {
  const applied = new Map<PlannedProject, AppliedProject>();
  try {
    await withLease(context, `the projects on ${platform}`, async (renew) => {
      const bindings = await context.store.read(selectBindings);
      const ofPlatform = bindings.filter((binding) => binding.platform === platform);
      const bound = new Map(ofPlatform.map(({ app, projectId }) => [app, projectId]));
      const find = projectsByName(await projects.list());
      const missing = lines.filter(
        ({ app, project }) => !bound.has(app) && find(project).kind === 'missing',
      );
      const targets = missing.map((line) => ({
        ...{ name: line.project, tags: { ...tagsOf(context), ...ownTags(line) } },
      }));
      const made = await createMissing(projects, targets, renew);
      for (const line of lines) {
        await renew();
        const projectId = bound.get(line.app);
        const match = find(line.project);
        const result: AppliedProject =
          projectId === undefined
            ? await settle(context, line, match, made.get(line.project))
            : { ...line, projectId, state: 'bound' };
        applied.set(line, result);
      }
    });
  } catch (error) {
    const { message } = expectedError(error);
    for (const line of lines) if (!applied.has(line)) applied.set(line, asFailed(line, message));
  }
  return applied;
}

/** Throws errors that a result line cannot report. */
function expectedError(error: unknown): ProjectsError | AdminError {
  if (error instanceof ProjectsError || error instanceof AdminError) return error;
  throw error;
}

function asFailed(line: PlannedProject, note: string): AppliedProject {
  return { ...line, projectId: null, state: 'failed', note };
}

async function settle(
  context: AdminContext,
  line: PlannedProject,
  match: ProjectMatch,
  made: CreatedProject | undefined,
): Promise<AppliedProject> {
  const { app, platform, project: name } = line;
  const status = statusOf(match);
  if (status.state === 'archived' || status.state === 'ambiguous') {
    return { ...line, ...status, state: status.state };
  }
  const ready = match.kind === 'active' ? { ...match, wasCreated: false } : made;
  assert(ready !== undefined, 'a missing project was made');
  try {
    if ('error' in ready) throw ready.error;
    const { project, wasCreated } = ready;
    const subject = `${name} on ${platform}`;
    const extraStatements = wasCreated
      ? [auditLine(context, { action: 'project.create', subject, after: project.id })]
      : [];
    await bindProject(context, { app, platform, projectId: project.id }, extraStatements);
    return { ...line, projectId: project.id, state: wasCreated ? 'created' : 'adopted' };
  } catch (error) {
    return asFailed(line, expectedError(error).message);
  }
}

function tagsOf({ company }: AdminContext) {
  return { 'managed-by': 'model-gateway', company };
}

const olderStates: ReadonlySet<string> = new Set(['bound', 'adopted']);

/** Only where the platform has tags. A project that cannot be tagged stays bound, with a note. */
async function tagProjects(
  platforms: ReadonlyMap<string, Platform>,
  applied: readonly AppliedProject[],
): Promise<readonly AppliedProject[]> {
  const listed = new Map<string, ReadonlyMap<string, Project>>();
  // Skips platforms that have failed: each request to an unavailable platform would wait again.
  const failed = new Set(
    applied.filter(({ state }) => state === 'failed').map(({ platform }) => platform),
  );
  const tagged: AppliedProject[] = [];
  for (const line of applied) {
    const projects = platforms.get(line.platform)?.projects;
    const isOlder = olderStates.has(line.state) && line.note === null && !failed.has(line.platform);
    if (projects?.tag === undefined || !isOlder) {
      tagged.push(line);
      continue;
    }
    try {
      const all = listed.get(line.platform) ?? byId(await projects.list());
      listed.set(line.platform, all);
      const project = all.get(line.projectId ?? '');
      if (project !== undefined && lacks(project, line)) {
        await projects.tag(project.id, ownTags(line));
      }
      tagged.push(line);
    } catch (error) {
      if (!(error instanceof ProjectsError)) throw error;
      failed.add(line.platform);
      tagged.push({ ...line, note: `tags were not set: ${error.message}` });
    }
  }
  return tagged;
}

function byId(projects: readonly Project[]): ReadonlyMap<string, Project> {
  return new Map(projects.map((project) => [project.id, project]));
}

function lacks({ tags }: Project, line: AppliedProject): boolean {
  if (tags === undefined) return false;
  return Object.entries(ownTags(line)).some(([name, value]) => tags[name] !== value);
}
