import { listedNames } from '../../lib/nearest.ts';

/** A billing project, as its platform has it. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** An archived one takes no calls, and mostly keeps its name. */
  readonly isArchived: boolean;
  /** Missing where the platform has none. */
  readonly tags?: ProjectTags | undefined;
}

/** Facts that the platform shows beside a project's cost, by name. */
export type ProjectTags = Readonly<Record<string, string>>;

/** The billing projects of a platform. Nothing here deletes or archives one. */
export interface Projects {
  /** Every project, archived ones too. Rejects with a ProjectsError. */
  list(): Promise<readonly Project[]>;
  /**
   * Creates a project; a platform without tags drops them. Rejects with a ProjectsError: when the
   * name is taken as well, and when it is unknown whether it was created.
   */
  create(name: string, tags: ProjectTags): Promise<Project>;
  /**
   * The active projects of these names; creates the missing ones. It lists the projects once, and
   * once more where a creation failed. Two callers at once get the same project where names are
   * unique. Rejects with a ProjectsError where the projects cannot be listed.
   */
  ensure(wanted: readonly WantedProject[]): Promise<ReadonlyMap<string, EnsuredProject>>;
  /** Adds tags; missing where the platform has none. Rejects with a ProjectsError. */
  readonly tag?: (id: string, tags: ProjectTags) => Promise<void>;
}

/** The name that a project must have, and the tags of a new one. */
export interface WantedProject {
  readonly name: string;
  readonly tags?: ProjectTags | undefined;
}

/** The id of a project, or why it is missing. */
export type EnsuredProject = { readonly id: string } | { readonly error: unknown };

/** The platform's projects could not be read or made: a sentence for operators. */
export class ProjectsError extends Error {
  override readonly name = 'ProjectsError';
  /** True when no answer came: the platform is away, and the next question would wait as long. */
  readonly isAway: boolean;
  constructor(
    message: string,
    { isAway = false, ...options }: ErrorOptions & { isAway?: boolean } = {},
  ) {
    super(message, options);
    this.isAway = isAway;
  }
}

/** What there is of a name among a platform's projects. */
export type ProjectOfName =
  | { readonly kind: 'active'; readonly project: Project }
  | { readonly kind: 'missing' }
  | { readonly kind: 'archived'; readonly project: Project }
  /** Some platforms let two projects have one name: which of them is meant is then unknown. */
  | { readonly kind: 'several'; readonly projects: readonly Project[] };

/** Finds projects by their names; an active one hides archived ones of the same name. */
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

/** What a platform does by itself; the rest is made of it. */
export type ProjectSource = Pick<Projects, 'list' | 'create' | 'tag'>;

/** A project that was created or found, or why it is missing. */
export type MadeProject =
  | { readonly project: Project; readonly wasCreated: boolean }
  | { readonly error: unknown };

/**
 * Creates projects that a listing lacked, by name. Another instance may have created one since, or
 * the response may have been lost: one more listing finds all of these. After a request without a
 * response nothing more is created; `beforeEach` runs before every creation.
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
  return new ProjectsError(`not tried: the platform gave ${message}`, { cause, isAway: true });
}

/** Adds `ensure` to what a platform can list and create. */
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
  return new ProjectsError(`the platform has several active projects of the name ${name}: ${ids}`);
}
