import type { PlatformKind } from './platform.ts';

/** Source: contract, section 5. */
export const kindsWithoutProjects: readonly PlatformKind[] = ['openai-compatible', 'ai-sdk'];

/** Stored, and sent as a header with each call. */
export const projectIdPattern = /^[\x21-\x7e]{1,256}$/;

/** Calls with an id of another form may be billed to the default project. */
const mantleProjectPattern = /^proj_[A-Za-z0-9]+$/;

/** Takes the calls that name none. */
export function isDefaultProject(idOrName: string): boolean {
  return idOrName.trim().toLowerCase() === 'default';
}

/** Undefined where the id may be used. */
export function projectIdProblem(kind: PlatformKind, id: string): string | undefined {
  if (!projectIdPattern.test(id)) {
    return `${JSON.stringify(id)} is no project id: it is sent as a header, so use 1–256 printable ASCII characters without spaces`;
  }
  if (isDefaultProject(id)) {
    return `${JSON.stringify(id)} is the project of every call that names none: use one of the app's own`;
  }
  if (kind !== 'bedrock-mantle' || mantleProjectPattern.test(id)) return undefined;
  return `${id} is no id of a project there: they begin with proj_, as "projects plan" shows them; a name is not an id`;
}
