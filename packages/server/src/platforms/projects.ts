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
   * The id of the active project of this name, which is created where it is missing. Two callers
   * at once get the same one where names are unique. Rejects with a ProjectsError.
   */
  ensure(name: string, tags?: ProjectTags): Promise<string>;
  /** Adds tags; missing where the platform has none. Rejects with a ProjectsError. */
  readonly tag?: (id: string, tags: ProjectTags) => Promise<void>;
}

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

/** Finds a project by its name; an active one hides archived ones of the same name. */
export function projectOfName(projects: readonly Project[], name: string): ProjectOfName {
  const ofName = projects.filter((project) => project.name === name);
  const active = ofName.filter(({ isArchived }) => !isArchived);
  const [first, second] = active;
  if (second !== undefined) return { kind: 'several', projects: active };
  if (first !== undefined) return { kind: 'active', project: first };
  const [archived] = ofName;
  return archived === undefined ? { kind: 'missing' } : { kind: 'archived', project: archived };
}

/** What a platform does by itself; the rest is made of it. */
export type ProjectSource = Pick<Projects, 'list' | 'create' | 'tag'>;

/**
 * Creates a project that was missing a moment ago. Another instance may have created it since, or
 * the answer may have been lost: then it is the one that is there now.
 */
export async function createOrFind(
  source: ProjectSource,
  name: string,
  tags: ProjectTags,
): Promise<{ readonly project: Project; readonly wasCreated: boolean }> {
  try {
    return { project: await source.create(name, tags), wasCreated: true };
  } catch (error) {
    const found = projectOfName(await source.list(), name);
    if (found.kind === 'active') return { project: found.project, wasCreated: false };
    throw error;
  }
}

/** Adds `ensure` to what a platform can list and create. */
export function withEnsure(source: ProjectSource): Projects {
  // Projects are never deleted, so one that was seen need not be looked for again.
  const known = new Map<string, string>();
  return {
    ...source,
    async ensure(name, tags = {}) {
      const id = known.get(name) ?? (await findOrCreate(name, tags));
      known.set(name, id);
      return id;
    },
  };

  async function findOrCreate(name: string, tags: ProjectTags): Promise<string> {
    const found = projectOfName(await source.list(), name);
    if (found.kind === 'active') return found.project.id;
    if (found.kind !== 'several') return (await createOrFind(source, name, tags)).project.id;
    const ids = found.projects.map(({ id }) => id).join(', ');
    throw new ProjectsError(`the platform has several active projects of the name ${name}: ${ids}`);
  }
}
