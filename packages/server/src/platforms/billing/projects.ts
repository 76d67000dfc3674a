import { listedNames } from '../../lib/nearest.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly isArchived: boolean;
  readonly tags?: ProjectTags | undefined;
}

export type ProjectTags = Readonly<Record<string, string>>;

/** Never deletes or archives a project. */
export interface Projects {
  /** Includes archived projects. Rejects with a ProjectsError. */
  list(): Promise<readonly Project[]>;
  /**
   * Drops unsupported tags. Rejects with a ProjectsError if the name exists, or if the creation is
   * uncertain.
   */
  create(name: string, tags: ProjectTags): Promise<Project>;
  /**
   * Finds active projects and creates missing ones. Lists once, and again after a failed creation.
   * Concurrent callers get the same project if names are unique. Rejects with a ProjectsError when
   * listing fails.
   */
  ensure(required: readonly RequiredProject[]): Promise<ReadonlyMap<string, EnsuredProject>>;
  /** Undefined without support for tags. Rejects with a ProjectsError. */
  readonly tag?: (id: string, tags: ProjectTags) => Promise<void>;
}

export interface RequiredProject {
  readonly name: string;
  readonly tags?: ProjectTags | undefined;
}

export type EnsuredProject = { readonly id: string } | { readonly error: unknown };

export class ProjectsError extends Error {
  override readonly name = 'ProjectsError';
  /** No response: the next request would wait as long. */
  readonly isAway: boolean;
  constructor(
    message: string,
    { isAway = false, ...options }: ErrorOptions & { isAway?: boolean } = {},
  ) {
    super(message, options);
    this.isAway = isAway;
  }
}

export type ProjectMatch =
  | { readonly kind: 'active'; readonly project: Project }
  | { readonly kind: 'missing' }
  | { readonly kind: 'archived'; readonly project: Project }
  /** Some platforms allow duplicate names, so the match is ambiguous. */
  | { readonly kind: 'several'; readonly projects: readonly Project[] };

/** An active project hides archived ones of its name. */
export function projectsByName(projects: readonly Project[]): (name: string) => ProjectMatch {
  const byName = Map.groupBy(projects, ({ name }) => name);
  return (name) => projectAmong(byName.get(name) ?? []);
}

function projectAmong(ofName: readonly Project[]): ProjectMatch {
  const active = ofName.filter(({ isArchived }) => !isArchived);
  const [first, second] = active;
  if (second !== undefined) return { kind: 'several', projects: active };
  if (first !== undefined) return { kind: 'active', project: first };
  const [archived] = ofName;
  return archived === undefined ? { kind: 'missing' } : { kind: 'archived', project: archived };
}

export type ProjectSource = Pick<Projects, 'list' | 'create' | 'tag'>;

export type CreatedProject =
  | { readonly project: Project; readonly wasCreated: boolean }
  | { readonly error: unknown };

/**
 * Lists again after a failure: another instance might have created a project, or the response was
 * lost. Creates no more after a request without a response; `beforeEach` runs before every
 * creation.
 */
export async function createMissing(
  source: ProjectSource,
  required: readonly RequiredProject[],
  beforeEach: () => Promise<void> = async () => undefined,
): Promise<ReadonlyMap<string, CreatedProject>> {
  const created = new Map<string, CreatedProject>();
  const failed = new Map<string, unknown>();
  let unreachable: ProjectsError | undefined;
  for (const { name, tags = {} } of required) {
    if (created.has(name) || failed.has(name)) continue;
    if (unreachable !== undefined) {
      failed.set(name, unreachable);
      continue;
    }
    await beforeEach();
    try {
      created.set(name, { project: await source.create(name, tags), wasCreated: true });
    } catch (error) {
      failed.set(name, error);
      // Each request to an unreachable platform would wait as long.
      if (error instanceof ProjectsError && error.isAway) unreachable = notTried(error);
    }
  }
  if (failed.size === 0) return created;
  const find = projectsByName(await source.list().catch(() => []));
  for (const [name, error] of failed) {
    const match = find(name);
    const isThere = match.kind === 'active';
    created.set(name, isThere ? { project: match.project, wasCreated: false } : { error });
  }
  return created;
}

function notTried({ message, cause }: ProjectsError): ProjectsError {
  return new ProjectsError(`not tried after an earlier failure of the platform: ${message}`, {
    cause,
    isAway: true,
  });
}

export function withEnsure(source: ProjectSource): Projects {
  // Projects are never deleted, so a project that was found once needs no second lookup.
  const known = new Map<string, EnsuredProject>();
  return {
    ...source,
    async ensure(required) {
      const missing = required.filter(({ name }) => !known.has(name));
      const ensured = missing.length === 0 ? new Map() : await findOrCreate(source, missing);
      for (const [name, project] of ensured) if ('id' in project) known.set(name, project);
      return new Map([...known, ...ensured]);
    },
  };
}

async function findOrCreate(
  source: ProjectSource,
  required: readonly RequiredProject[],
): Promise<ReadonlyMap<string, EnsuredProject>> {
  const ensured = new Map<string, EnsuredProject>();
  const find = projectsByName(await source.list());
  const toCreate: RequiredProject[] = [];
  for (const project of required) {
    const match = find(project.name);
    if (match.kind === 'active') ensured.set(project.name, { id: match.project.id });
    else if (match.kind === 'several') ensured.set(project.name, { error: severalError(match) });
    else toCreate.push(project);
  }
  for (const [name, created] of await createMissing(source, toCreate)) {
    ensured.set(name, 'error' in created ? created : { id: created.project.id });
  }
  return ensured;
}

function severalError({ projects }: Extract<ProjectMatch, { kind: 'several' }>): ProjectsError {
  const ids = listedNames(projects.map(({ id }) => id));
  const name = projects[0]?.name;
  return new ProjectsError(
    `the platform has several active projects with the name ${name}: ${ids}`,
  );
}
