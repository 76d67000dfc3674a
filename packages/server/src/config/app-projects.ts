import type { PlatformConfig } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import { projectIdProblem } from '../domain/project-id.ts';
import { orNearest } from '../lib/nearest.ts';
import { type Field, fieldsOf, report } from './field.ts';
import type { PlatformNames } from './models.ts';
import { type Reader, reader, textSchema } from './reader.ts';
import { text } from './scalars.ts';

export const appProjects: Reader<Readonly<Record<string, string>>> = reader(
  { type: 'object', additionalProperties: textSchema('^[\\x21-\\x7e]{1,256}$') },
  (field) => {
    const ids = [...(fieldsOf(field) ?? [])].flatMap(([platform, found]): [string, string][] => {
      const id = text(found);
      return id === undefined ? [] : [[platform, id]];
    });
    return Object.fromEntries(ids);
  },
);

/**
 * Two apps must not share an id: a platform's bill could not separate them. Use one checker for all
 * apps of a file.
 */
export function createProjectsCheck(platforms: readonly PlatformConfig[], names: PlatformNames) {
  const owners = new Map<string, string>();
  return (app: string, field: Field): void => {
    if (field.tree.kind !== 'table') return;
    for (const [name, found] of fieldsOf(field) ?? []) {
      if (found.tree.kind !== 'scalar') continue;
      const id = found.tree.text;
      const owner = owners.get(id) ?? app;
      const problem =
        problemOf(platforms, names, name, id) ??
        (owner === app ? undefined : `${id} is the project of ${owner} already`);
      if (problem !== undefined) report(found, problem);
      owners.set(id, owner);
    }
  };
}

function problemOf(
  platforms: readonly PlatformConfig[],
  names: PlatformNames,
  name: string,
  id: string,
): string | undefined {
  if (names?.includes(name) === false) {
    return `there is no platform ${name}; the file has ${orNearest(name, names)}`;
  }
  const kind = platforms.find((each) => each.name === name)?.kind;
  // Of a platform that is wrong itself nothing more is said.
  if (kind === undefined) return undefined;
  const { projects } = factsOf(kind);
  if (projects === 'own') return `a ${kind} makes its own projects: leave it out`;
  if (projects === 'none') {
    return `the kind ${kind} has no projects, and its calls need none: leave it out`;
  }
  return projectIdProblem(kind, id);
}
