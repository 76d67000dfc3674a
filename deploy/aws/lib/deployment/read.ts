import { configurationProblems } from './configuration-problems.ts';
import { problemsOf } from './problems.ts';
import { type Deployment, propertiesSchema } from './properties.ts';

/** A deployment, or all of its problems, a sentence each. */
export type ReadDeployment =
  | { readonly deployment: Deployment }
  | { readonly problems: readonly string[] };

/** Checks properties and completes them with their defaults. */
export function readDeployment(properties: unknown): ReadDeployment {
  const read = propertiesSchema.safeParse(properties);
  if (!read.success) {
    return { problems: read.error.issues.flatMap(sentencesOf) };
  }
  const unfit = problemsOf(read.data);
  // Settings that would fail the service's startup are rejected before there is anything to undo.
  const problems = unfit.length > 0 ? unfit : configurationProblems(read.data);
  return problems.length === 0 ? { deployment: read.data } : { problems };
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

function sentencesOf({ code, path, message, keys }: Issue): readonly string[] {
  const name = path.map(String).join('.');
  if (code === 'unrecognized_keys') {
    const at = name === '' ? '' : `${name}.`;
    return (keys ?? []).map((key) => `${at}${key}: there is no such property; remove it`);
  }
  return [name === '' ? message : `${name}: ${message}`];
}
