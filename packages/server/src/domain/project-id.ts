import { factsOf, type PlatformKind } from './platform-kinds/platform-kinds.ts';

export const projectIdPattern = /^[\x21-\x7e]{1,256}$/;

export function isDefaultProject(idOrName: string): boolean {
  return idOrName.trim().toLowerCase() === 'default';
}

export function projectIdProblem(kind: PlatformKind, id: string): string | undefined {
  if (!projectIdPattern.test(id)) {
    return `${JSON.stringify(id)} is not a valid project id; it is sent as a header, so use 1–256 printable ASCII characters without spaces`;
  }
  if (isDefaultProject(id)) {
    return `${JSON.stringify(id)} is the project of all calls without one; use another project`;
  }
  const form = factsOf(kind).projectForm;
  return form === undefined || form.pattern.test(id) ? undefined : `${id} ${form.problem}`;
}
