import type { Clock } from '../lib/clock.ts';
import { startDeadline } from '../lib/deadline.ts';
import { isRecord, parseJson } from './json.ts';
import type { Send } from './transport.ts';

/** The billing projects of a platform. */
export interface Projects {
  /**
   * The id of the active project of this name, which is created where it is missing. Two callers
   * at once get the same one. Throws a ProjectsError when the platform does not answer as it
   * should.
   */
  ensure(name: string): Promise<string>;
}

/** The platform's projects could not be read or made. */
export class ProjectsError extends Error {
  override readonly name = 'ProjectsError';
}

interface Project {
  readonly id: string;
  readonly name: string;
}

const pageSize = 100;
/** Mantle allows an account 1,000 projects. */
const pagesMax = 100;
const timeoutMs = 10_000;

/** The Projects API of OpenAI's admin surface, as mantle and the simulator have it. */
export function createProjects(parts: {
  readonly send: Send;
  readonly clock: Clock;
  /** Such as `/v1/organization/projects`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}): Projects {
  // Projects are never deleted, so one that was seen need not be looked for again.
  const known = new Map<string, string>();
  return {
    async ensure(name) {
      const found = known.get(name) ?? (await find(name));
      if (found !== undefined) return found;
      const created = await request('POST', parts.path, JSON.stringify({ name }));
      const project = created.status < 300 ? projectIn(created.value) : undefined;
      if (project !== undefined) {
        known.set(name, project.id);
        return project.id;
      }
      // Names are unique: somebody else may have created it in the meantime.
      const foundNow = await find(name);
      if (foundNow !== undefined) return foundNow;
      throw new ProjectsError(`the project ${name} could not be created: status ${created.status}`);
    },
  };

  async function find(name: string): Promise<string | undefined> {
    let after = '';
    for (let page = 0; page < pagesMax; page++) {
      const query = `limit=${pageSize}${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`;
      const { status, value } = await request('GET', `${parts.path}?${query}`, '');
      if (status !== 200 || !isRecord(value) || !Array.isArray(value.data)) {
        throw new ProjectsError(`the projects could not be listed: status ${status}`);
      }
      const projects = value.data.map(projectIn).filter((project) => project !== undefined);
      for (const project of projects) known.set(project.name, project.id);
      const found = known.get(name);
      if (found !== undefined) return found;
      const last = projects.at(-1);
      if (value.has_more !== true || last === undefined) return undefined;
      after = last.id;
    }
    throw new ProjectsError(`the platform lists more than ${pageSize * pagesMax} projects`);
  }

  async function request(method: string, path: string, body: string) {
    const headers = { ...parts.headers, 'content-type': 'application/json' };
    const deadline = startDeadline(parts.clock, timeoutMs);
    const { signal } = deadline;
    try {
      const { status, body: bytes } = await parts.send({ method, path, headers, body, signal });
      return { status, value: parseJson(bytes.toString('utf8'))?.value };
    } finally {
      deadline.cancel();
    }
  }
}

/** A project as the list or a creation shows it; an archived one takes no calls. */
function projectIn(value: unknown): Project | undefined {
  if (!isRecord(value) || value.status !== 'active') return undefined;
  const { id, name } = value;
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined;
}
