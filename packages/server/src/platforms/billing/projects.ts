import { listedNames } from '../../lib/nearest.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly isArchived: boolean;
  readonly tags?: ProjectTags | undefined;
}

export type ProjectTags = Readonly<Record<string, string>>;

/** Nothing here deletes or archives one. */
export interface Projects {
  /** Includes archived ones. Rejects with a ProjectsError. */
  list(): Promise<readonly Project[]>;
  /**
   * Drops unsupported tags. Rejects with a ProjectsError, also when the name is taken or when the
   * creation is uncertain.
   */
  create(name: string, tags: ProjectTags): Promise<Project>;
  /**
   * Finds active projects and creates missing ones. Lists once, and again after a failed creation.
   * Concurrent callers get the same project if names are unique. Rejects with a ProjectsError when
   * listing fails.
   */
  ensure(wanted: readonly WantedProject[]): Promise<ReadonlyMap<string, EnsuredProject>>;
  /** Missing without support. Rejects with a ProjectsError. */
  readonly tag?: (id: string, tags: ProjectTags) => Promise<void>;
}

export interface WantedProject {
  readonly name: string;
  readonly tags?: ProjectTags | undefined;
}

export type EnsuredProject = { readonly id: string } | { readonly error: unknown };

export class ProjectsError extends Error {
  override readonly name = 'ProjectsError';
  /** No answer came: the next request would wait as long. */
  readonly isAway: boolean;
  constructor(
    message: string,
    { isAway = false, ...options }: ErrorOptions & { isAway?: boolean } = {},
  ) {
    super(message, options);
    this.isAway = isAway;
  }
}

export type ProjectOfName =
  | { readonly kind: 'active'; readonly project: Project }
  | { readonly kind: 'missing' }
  | { readonly kind: 'archived'; readonly project: Project }
  /** Names may repeat on some platforms: which is meant is unknown. */
  | { readonly kind: 'several'; readonly projects: readonly Project[] };

/** An active project hides archived ones of its name. */
export function projectsByName(projects: readonly Project[]): (name: string) => ProjectOfName {
  const byName = Map.groupBy(projects, ({ name }) => name);
  return (name) => projectAmong(byName.get(name) ?? []);
}

function projectAmong(ofName: readonly Project[]): ProjectOfName {
  const active = ofName.filter(({ isArchived }) => !isArchived);
  const [first, second] = active;
  if (second !== undefined) return { kind: 'several', projects: active };
  if (first !== undefined) return { kind: 'active', project: first };
  const [archived] = ofName;
  return archived === undefined ? { kind: 'missing' } : { kind: 'archived', project: archived };
}

export type ProjectSource = Pick<Projects, 'list' | 'create' | 'tag'>;

export type MadeProject =
  | { readonly project: Project; readonly wasCreated: boolean }
  | { readonly error: unknown };

/**
 * Lists once more after a failure, since another instance may have created one or the response was
 * lost. Creates no more after a request without a response; `beforeEach` runs before every
 * creation.
 */
export async function createMissing(
  source: ProjectSource,
  wanted: readonly WantedProject[],
  beforeEach: () => Promise<void> = async () => undefined,
): Promise<ReadonlyMap<string, MadeProject>> {
  const made = new Map<string, MadeProject>();
  const failed = new Map<string, unknown>();
  let away: ProjectsError | undefined;
  for (const { name, tags = {} } of wanted) {
    if (made.has(name) || failed.has(name)) continue;
    if (away !== undefined) {
      failed.set(name, away);
      continue;
    }
    await beforeEach();
    try {
      made.set(name, { project: await source.create(name, tags), wasCreated: true });
    } catch (error) {
      failed.set(name, error);
      // Each request to a platform that is away would wait as long as this one did.
      if (error instanceof ProjectsError && error.isAway) away = notTried(error);
    }
  }
  if (failed.size === 0) return made;
  const find = projectsByName(await source.list().catch(() => []));
  for (const [name, error] of failed) {
    const found = find(name);
    const isThere = found.kind === 'active';
    made.set(name, isThere ? { project: found.project, wasCreated: false } : { error });
  }
  return made;
}

function notTried({ message, cause }: ProjectsError): ProjectsError {
  return new ProjectsError(`not tried after an earlier failure of the platform: ${message}`, {
    cause,
    isAway: true,
  });
}

export function withEnsure(source: ProjectSource): Projects {
  // Projects are never deleted, so one that was seen need not be looked for again.
  const known = new Map<string, EnsuredProject>();
  return {
    ...source,
    async ensure(wanted) {
      const missing = wanted.filter(({ name }) => !known.has(name));
      const ensured = missing.length === 0 ? new Map() : await findOrCreate(source, missing);
      for (const [name, project] of ensured) if ('id' in project) known.set(name, project);
      return new Map([...known, ...ensured]);
    },
  };
}

async function findOrCreate(
  source: ProjectSource,
  wanted: readonly WantedProject[],
): Promise<ReadonlyMap<string, EnsuredProject>> {
  const ensured = new Map<string, EnsuredProject>();
  const find = projectsByName(await source.list());
  const toCreate: WantedProject[] = [];
  for (const project of wanted) {
    const found = find(project.name);
    if (found.kind === 'active') ensured.set(project.name, { id: found.project.id });
    else if (found.kind === 'several') ensured.set(project.name, { error: severalError(found) });
    else toCreate.push(project);
  }
  for (const [name, made] of await createMissing(source, toCreate)) {
    ensured.set(name, 'error' in made ? made : { id: made.project.id });
  }
  return ensured;
}

function severalError({ projects }: Extract<ProjectOfName, { kind: 'several' }>): ProjectsError {
  const ids = listedNames(projects.map(({ id }) => id));
  const name = projects[0]?.name;
  return new ProjectsError(
    `the platform has several active projects with the name ${name}: ${ids}`,
  );
}
