import { projectIdPattern } from '../../domain/project-id.ts';
import type { Clock } from '../../lib/clock.ts';
import { startTimeout } from '../../lib/deadline.ts';
import { isRecord, parseJson } from '../../lib/json-value.ts';
import {
  isFailure,
  type Send,
  type SendResponse,
  type TransportFailure,
} from '../http/transport.ts';
import {
  type Project,
  type Projects,
  ProjectsError,
  type ProjectTags,
  withEnsure,
} from './projects.ts';

const pageSize = 100;
const pagesMax = 100;
const timeoutMs = 10_000;

export interface ProjectsDialect {
  readonly cursor: string;
  isArchived(project: Readonly<Record<string, unknown>>): boolean;
}

const projectsDialect: ProjectsDialect = {
  cursor: 'after',
  isArchived: ({ status }) => status !== 'active',
};

export const workspacesDialect: ProjectsDialect = {
  cursor: 'after_id',
  isArchived: ({ archived_at: archivedAt }) => typeof archivedAt === 'string',
};

export function createProjects(parts: {
  readonly send: Send;
  readonly clock: Clock;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly takesTags: boolean;
  readonly dialect?: ProjectsDialect;
}): Projects {
  const { dialect = projectsDialect } = parts;
  const projectIn = (value: unknown) => readProject(value, dialect);
  return withEnsure({
    ...(parts.takesTags && { tag }),
    async list() {
      // Mantle does not document this parameter. After a rejection, the list is requested without
      // it.
      const all = await readPages({ include_archived: 'true' });
      const listed = all.status === 400 ? await readPages({}) : all;
      if (listed.projects !== undefined) return listed.projects;
      throw new ProjectsError(`it did not list its projects: ${reasonOf(listed.status)}`);
    },

    async create(name, tags) {
      const body = parts.takesTags ? { name, tags } : { name };
      const { status, value } = await request('POST', parts.path, JSON.stringify(body));
      const project = status < 300 ? projectIn(value) : undefined;
      if (project !== undefined) return project;
      throw new ProjectsError(
        `it did not create the project ${name}: ${reasonOf(status, ofCreation)}`,
      );
    },
  });

  async function tag(id: string, tags: ProjectTags) {
    const path = `${parts.path}/${encodeURIComponent(id)}`;
    const { status } = await request('POST', path, JSON.stringify({ add_tags: tags }));
    if (status >= 300) throw new ProjectsError(`it did not tag ${id}: ${reasonOf(status)}`);
  }

  /** Returns the status of an unreadable page. */
  async function readPages(filter: Readonly<Record<string, string>>) {
    const projects: Project[] = [];
    const query = new URLSearchParams({ limit: String(pageSize), ...filter });
    for (let page = 0; page < pagesMax; page++) {
      const { status, value } = await request('GET', `${parts.path}?${query}`, '');
      if (status !== 200 || !isRecord(value) || !Array.isArray(value.data)) return { status };
      const pageProjects = value.data.map(projectIn).filter((project) => project !== undefined);
      projects.push(...pageProjects);
      const last = pageProjects.at(-1);
      if (value.has_more !== true || last === undefined) return { status, projects };
      query.set(dialect.cursor, last.id);
    }
    throw new ProjectsError(`it lists more than ${pageSize * pagesMax} projects`);
  }

  async function request(method: string, path: string, body: string) {
    const headers = { ...parts.headers, 'content-type': 'application/json' };
    const timeout = startTimeout(parts.clock, timeoutMs);
    const { signal } = timeout;
    try {
      const answer = await parts.send({ method, path, headers, body, signal });
      if (isFailure(answer)) throw unreachableError(answer);
      return read(answer);
    } finally {
      timeout.cancel();
    }
  }
}

function read({ status, body }: SendResponse) {
  return { status, value: parseJson(body.toString('utf8'))?.value };
}

function unreachableError(failure: TransportFailure): ProjectsError {
  return new ProjectsError(unreachableReason(failure), { cause: failure, isAway: true });
}

function unreachableReason({ kind, causeCode, message }: TransportFailure): string {
  if (kind === 'aborted') return `no response within ${timeoutMs / 1_000} s`;
  // Nothing was sent, so no response exists. The message names the searched credential sources.
  return kind === 'no-credentials' ? message : `no response (${causeCode})`;
}

/** The platform's text may name accounts, so operators see the status and its usual meaning. */
function reasonOf(
  status: number,
  meanings: Readonly<Record<number, string>> = ofAnyRequest,
): string {
  const meaning = meanings[status];
  return meaning === undefined ? `status ${status}` : `status ${status}; ${meaning}`;
}

const ofAnyRequest = {
  401: 'its credential is wrong or has expired',
  403: 'its credential lacks permission',
};

const ofCreation = {
  ...ofAnyRequest,
  400: 'it might not accept this name; set another `project`',
  409: 'the name is taken, perhaps by an archived project',
};

function readProject(value: unknown, { isArchived }: ProjectsDialect): Project | undefined {
  if (!isRecord(value)) return undefined;
  const { id, name } = value;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  if (!projectIdPattern.test(id)) return undefined;
  return { id, name, isArchived: isArchived(value), tags: tagsIn(value.tags) };
}

function tagsIn(value: unknown): ProjectTags | undefined {
  if (!isRecord(value)) return undefined;
  const tags = Object.entries(value).flatMap(([name, tag]) =>
    typeof tag === 'string' ? [[name, tag] as const] : [],
  );
  return Object.fromEntries(tags);
}
