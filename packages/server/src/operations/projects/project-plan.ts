import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { isDefaultProject } from '../../domain/project-id.ts';
import { listedNames } from '../../lib/nearest.ts';
import {
  type Project,
  type ProjectMatch,
  ProjectsError,
  projectsByName,
} from '../../platforms/billing/projects.ts';
import type { Platform } from '../../platforms/model/port.ts';
import { sharedBindings, sharedSentence } from '../../registry/shared-projects.ts';
import {
  type AppRow,
  type ProjectBinding,
  selectApps,
  selectBindings,
} from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { PlannedProject } from '../documents/projects.ts';

type ProjectListing =
  | {
      readonly kind: 'listed';
      readonly byId: ReadonlyMap<string, Project>;
      readonly find: (name: string) => ProjectMatch;
    }
  | { readonly kind: 'no-api' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Returns projects by app. Changes nothing. */
export async function planProjects(
  context: AdminContext,
  platforms: readonly Platform[],
): Promise<readonly PlannedProject[]> {
  const apps = await context.store.read(selectApps(context.company));
  const bindings = await context.store.read(selectBindings);
  const own = createOwnership(apps, bindings);
  const bound = new Map(bindings.map((binding) => [keyOf(binding), binding.projectId]));
  const billing = platforms.filter(({ needsProject }) => needsProject);
  const listed = await Promise.all(
    billing.map(async (platform) => ({ platform, listing: await listOf(platform) })),
  );
  return apps.flatMap((app) =>
    listed.map(({ platform, listing }) => {
      const target = { app: app.name, platform: platform.name, project: app.project };
      const boundId = bound.get(keyOf(target));
      const status =
        boundId === undefined
          ? own.unbound(target, unboundStatus(listing, target))
          : own.bound(target, { projectId: boundId, ...boundStatus(listing, platform, boundId) });
      return { ...target, ...status };
    }),
  );
}

type ProjectTarget = Pick<PlannedProject, 'app' | 'platform' | 'project'>;

function keyOf({ app, platform }: Pick<ProjectTarget, 'app' | 'platform'>): string {
  return `${app} ${platform}`;
}

/** Has precedence over the platform's response. */
function createOwnership(apps: readonly AppRow[], bindings: readonly ProjectBinding[]) {
  const shared = new Map(sharedBindings(bindings).map((sharing) => [keyOf(sharing), sharing]));
  const namesakes = Map.groupBy(apps, ({ project }) => project.trim());
  const owners = Map.groupBy(bindings, ({ projectId }) => projectId);
  return {
    bound(target: ProjectTarget, status: ProjectStatus): ProjectStatus {
      const sharing = shared.get(keyOf(target));
      if (sharing === undefined) return status;
      return { ...status, state: 'shared', note: sharedSentence(sharing) };
    },
    unbound(target: ProjectTarget, status: ProjectStatus): ProjectStatus {
      const ofName = namesakes.get(target.project.trim()) ?? [];
      const namesake = ofName.find(({ name }) => name !== target.app);
      const ofId = owners.get(status.projectId ?? '') ?? [];
      const owner = ofId.find(({ app }) => app !== target.app);
      const other = namesake?.name ?? owner?.app;
      if (other === undefined && !isDefaultProject(target.project)) return status;
      const ownerText = other === undefined ? 'of all calls without a project' : `of ${other} too`;
      const note = `this is the project ${ownerText}; set another project name for the app, or bind one with "projects bind"`;
      return { ...status, state: 'shared', note };
    },
  };
}

async function listOf({ projects }: Platform): Promise<ProjectListing> {
  if (projects === undefined) return { kind: 'no-api' };
  try {
    const all = await projects.list();
    const byId = new Map(all.map((project) => [project.id, project]));
    return { kind: 'listed', byId, find: projectsByName(all) };
  } catch (error) {
    if (error instanceof ProjectsError) return { kind: 'failed', reason: error.message };
    throw error;
  }
}

type ProjectStatus = Pick<PlannedProject, 'projectId' | 'state' | 'note'>;

function boundStatus(
  listing: ProjectListing,
  { kind, name }: Platform,
  boundId: string,
): Pick<ProjectStatus, 'state' | 'note'> {
  if (listing.kind === 'no-api') return { state: 'bound', note: null };
  if (listing.kind === 'failed') return { state: 'bound', note: `not verified: ${listing.reason}` };
  const project = listing.byId.get(boundId);
  if (project?.isArchived === true) {
    return {
      state: 'archived',
      note: 'it is archived and accepts no calls; bind another project with "projects bind"',
    };
  }
  // A simulator's projects end with its process, and a running service creates them again.
  if (project !== undefined || factsOf(kind).projects === 'own')
    return { state: 'bound', note: null };
  return { state: 'bound', note: `${name} does not list this project` };
}

function unboundStatus(listing: ProjectListing, target: ProjectTarget): ProjectStatus {
  if (listing.kind === 'listed') return statusOf(listing.find(target.project));
  if (listing.kind === 'failed') return { projectId: null, state: 'unknown', note: listing.reason };
  const command = `projects bind ${target.app} ${target.platform} ID`;
  return {
    projectId: null,
    state: 'by-hand',
    note: `listing projects requires an adminApiKey; bind the project instead: npx model-gateway ${command}`,
  };
}

export function statusOf(match: ProjectMatch): ProjectStatus {
  switch (match.kind) {
    case 'active':
      return { projectId: match.project.id, state: 'adopt', note: null };
    case 'missing':
      return { projectId: null, state: 'create', note: null };
    case 'archived':
      return {
        projectId: null,
        state: 'archived',
        note: `${match.project.id} has this name but accepts no calls; set another project name for the app, or bind one with "projects bind"`,
      };
    case 'several': {
      const ids = listedNames(match.projects.map(({ id }) => id));
      return {
        projectId: null,
        state: 'ambiguous',
        note: `several projects have this name; bind one with "projects bind": ${ids}`,
      };
    }
  }
}
