import type { SimulatorClock } from './lib/clock.ts';
import { projectIdOf } from './lib/ids.ts';
import { arnPrefix, invalid, PlatformError, unknownProject } from './lib/platform-error.ts';

export interface Project {
  /** `proj_…`, derived from its first name; `default` for the account's own. */
  readonly id: string;
  readonly arn: string;
  readonly name: string;
  readonly status: 'active' | 'archived';
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly archivedAt: number | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly dataRetentionMode: string;
}

export type ProjectChange = Partial<Pick<Project, 'name' | 'tags' | 'dataRetentionMode'>>;

export interface Projects {
  /** 409 `conflict` if the name or its id exists. */
  create(name: string, details?: ProjectChange): Project;
  ensure(name: string): Project;
  /** Throws the platform's 404 for an unknown id. */
  get(id: string): Project;
  update(id: string, change: ProjectChange): Project;
  archive(id: string): Project;
  /** In the order of creation, `default` first. */
  list(): readonly Project[];
}

export const defaultProjectId = 'default';

const projectsMax = 10_000;

export function createProjects(clock: SimulatorClock): Projects {
  const byId = new Map<string, Project>();
  const idByName = new Map<string, string>();
  put(fresh(defaultProjectId, 'default', clock.now()));
  return { create, ensure, get, update, archive, list: () => [...byId.values()] };

  function create(name: string, details: ProjectChange = {}): Project {
    const id = projectIdOf(name);
    checkFree(name);
    // An id is derived from a name, so a renamed project still has the id of its first one.
    if (byId.has(id)) throw conflict(name, id);
    if (byId.size >= projectsMax) throw invalid(`At most ${projectsMax} projects per account.`);
    return put({ ...fresh(id, name, clock.now()), ...details });
  }
  function ensure(name: string): Project {
    return byId.get(projectIdOf(name)) ?? create(name);
  }
  function get(id: string): Project {
    // Anthropic calls the same thing a workspace.
    const project = byId.get(id.replace(/^wrkspc_/, 'proj_'));
    if (project === undefined) throw unknownProject(id);
    return project;
  }
  function update(id: string, change: ProjectChange): Project {
    const project = changeable(id);
    if (change.name !== undefined && change.name !== project.name) checkFree(change.name);
    return put({ ...project, ...change });
  }
  function archive(id: string): Project {
    const project = changeable(id);
    if (project.status === 'archived') return project;
    return put({ ...project, status: 'archived', archivedAt: clock.now() });
  }

  function changeable(id: string): Project {
    if (id === defaultProjectId) throw invalid('The default project cannot be changed.');
    return get(id);
  }
  function checkFree(name: string): void {
    checkName(name);
    const taken = idByName.get(name);
    if (taken !== undefined) throw conflict(name, taken);
  }
  function put(project: Project): Project {
    const before = byId.get(project.id);
    if (before !== undefined) idByName.delete(before.name);
    idByName.set(project.name, project.id);
    byId.set(project.id, project);
    return project;
  }
}

function fresh(id: string, name: string, createdAt: number): Project {
  return {
    id,
    arn: `${arnPrefix}:project/${id}`,
    name,
    status: 'active',
    createdAt,
    archivedAt: undefined,
    tags: {},
    dataRetentionMode: 'inherit',
  };
}

function checkName(name: string): void {
  if (/^[0-9a-zA-Z][0-9a-zA-Z _-]{0,127}$/.test(name)) return;
  throw invalid(`Invalid project name '${name}'.`, 'name');
}

function conflict(name: string, id: string): PlatformError {
  return new PlatformError({
    status: 409,
    code: 'conflict',
    type: 'invalid_request_error',
    message: `A project named '${name}' already exists: ${arnPrefix}:project/${id}`,
    param: 'name',
  });
}
