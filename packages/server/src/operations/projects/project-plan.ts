import { factsOf } from '../../domain/platform-kinds/platform-kinds.ts';
import { isDefaultProject } from '../../domain/project-id.ts';
import { listedNames } from '../../lib/nearest.ts';
import {
  type Project,
  type ProjectOfName,
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

type Listed =
  | {
      readonly kind: 'listed';
      readonly byId: ReadonlyMap<string, Project>;
      readonly find: (name: string) => ProjectOfName;
    }
  | { readonly kind: 'no-api' }
  | { readonly kind: 'failed'; readonly reason: string };

/** By app. Changes nothing. */
export async function planProjects(
  context: AdminContext,
  platforms: readonly Platform[],
): Promise<readonly PlannedProject[]> {
  const apps = await context.store.read(selectApps(context.company));
  const bindings = await context.store.read(selectBindings);
  const own = createOwnership(apps, bindings);
  const bound = new Map(bindings.map((binding) => [placeOf(binding), binding.projectId]));
  const billing = platforms.filter(({ needsProject }) => needsProject);
  const listed = await Promise.all(
    billing.map(async (platform) => ({ platform, found: await listOf(platform) })),
  );
  return apps.flatMap((app) =>
    listed.map(({ platform, found }) => {
      const place = { app: app.name, platform: platform.name, project: app.project };
      const boundId = bound.get(placeOf(place));
      const standing =
        boundId === undefined
          ? own.unbound(place, unboundStanding(found, place))
          : own.bound(place, { projectId: boundId, ...boundStanding(found, platform, boundId) });
      return { ...place, ...standing };
    }),
  );
}

type Place = Pick<PlannedProject, 'app' | 'platform' | 'project'>;

function placeOf({ app, platform }: Pick<Place, 'app' | 'platform'>): string {
  return `${app} ${platform}`;
}

/** Checked before the platform's answer. */
function createOwnership(apps: readonly AppRow[], bindings: readonly ProjectBinding[]) {
  const shared = new Map(sharedBindings(bindings).map((sharing) => [placeOf(sharing), sharing]));
  const namesakes = Map.groupBy(apps, ({ project }) => project.trim());
  const owners = Map.groupBy(bindings, ({ projectId }) => projectId);
  return {
    bound(place: Place, standing: Standing): Standing {
      const sharing = shared.get(placeOf(place));
      if (sharing === undefined) return standing;
      return { ...standing, state: 'shared', note: sharedSentence(sharing) };
    },
    unbound(place: Place, standing: Standing): Standing {
      const ofName = namesakes.get(place.project.trim()) ?? [];
      const namesake = ofName.find(({ name }) => name !== place.app);
      const ofId = owners.get(standing.projectId ?? '') ?? [];
      const owner = ofId.find(({ app }) => app !== place.app);
      const other = namesake?.name ?? owner?.app;
      if (other === undefined && !isDefaultProject(place.project)) return standing;
      const whose = other === undefined ? 'of all calls without a project' : `of ${other} too`;
      const note = `this is the project ${whose}; set another project name for the app, or bind one with "projects bind"`;
      return { ...standing, state: 'shared', note };
    },
  };
}

async function listOf({ projects }: Platform): Promise<Listed> {
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

type Standing = Pick<PlannedProject, 'projectId' | 'state' | 'note'>;

function boundStanding(
  found: Listed,
  { kind, name }: Platform,
  boundId: string,
): Pick<Standing, 'state' | 'note'> {
  if (found.kind === 'no-api') return { state: 'bound', note: null };
  if (found.kind === 'failed') return { state: 'bound', note: `not verified: ${found.reason}` };
  const project = found.byId.get(boundId);
  if (project?.isArchived === true) {
    return {
      state: 'archived',
      note: 'it is archived and accepts no calls; bind another project with "projects bind"',
    };
  }
  // A simulator's projects are gone when its process ends, and a running service makes them anew.
  if (project !== undefined || factsOf(kind).projects === 'own')
    return { state: 'bound', note: null };
  return { state: 'bound', note: `${name} does not list this project` };
}

function unboundStanding(found: Listed, place: Place): Standing {
  if (found.kind === 'listed') return standingOf(found.find(place.project));
  if (found.kind === 'failed') return { projectId: null, state: 'unknown', note: found.reason };
  const command = `projects bind ${place.app} ${place.platform} ID`;
  return {
    projectId: null,
    state: 'by-hand',
    note: `listing projects requires an adminApiKey; bind the project instead: npx model-gateway ${command}`,
  };
}

export function standingOf(found: ProjectOfName): Standing {
  switch (found.kind) {
    case 'active':
      return { projectId: found.project.id, state: 'adopt', note: null };
    case 'missing':
      return { projectId: null, state: 'create', note: null };
    case 'archived':
      return {
        projectId: null,
        state: 'archived',
        note: `${found.project.id} has this name but accepts no calls; set another project name for the app, or bind one with "projects bind"`,
      };
    case 'several': {
      const ids = listedNames(found.projects.map(({ id }) => id));
      return {
        projectId: null,
        state: 'ambiguous',
        note: `several projects have this name; bind one with "projects bind": ${ids}`,
      };
    }
  }
}
