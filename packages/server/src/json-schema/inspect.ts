import { findUnwritable, isRecord } from '../lib/json-value.ts';
import { findEndless } from './endless.ts';
import type { Dialect } from './keywords.ts';
import { problemAt, type SchemaProblem, shown } from './problem.ts';
import { findUntracked } from './untracked.ts';
import { SchemaWalk } from './walk.ts';
import { weigh } from './weigh.ts';

export interface Inspection {
  readonly kind: 'sound';
  readonly dialect: Dialect;
  readonly paths: ReadonlyMap<object, string>;
  readonly patterns: ReadonlyMap<string, string>;
  readonly weight: number;
  /** A cycle without a step into the value: checks never end. */
  readonly endlessAt: string | undefined;
  /** Valid in its dialect, but the compiler's verdict would be wrong. */
  readonly untracked: SchemaProblem | undefined;
}

/**
 * Linear in its size: compiles nothing, runs no pattern, follows no outside reference. Never
 * throws.
 */
export function inspect(root: unknown): Inspection | SchemaProblem {
  if (!isRecord(root)) return problemAt('', 'must be a JSON Schema: an object');
  const unwritable = findUnwritable(root);
  if (unwritable !== undefined) return problemAt(unwritable.path, unwritable.text);
  const dialect = dialectOf(root);
  if (typeof dialect !== 'string') return dialect;
  const walk = new SchemaWalk(root, dialect);
  const problem = walk.run();
  if (problem !== undefined) return problem;
  const { places, patterns } = walk;
  const untracked = dialect === '2020-12' ? findUntracked(places) : undefined;
  const paths = new Map<object, string>();
  for (const { schema, path } of places.values()) paths.set(schema, path);
  const endless = walk.hasNestedIds ? undefined : findEndless(root, places);
  const endlessAt = endless === undefined ? undefined : paths.get(endless);
  const weight = weigh(root, places);
  return { kind: 'sound', dialect, paths, patterns, weight, endlessAt, untracked };
}

const draft07Ids = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const draft2020Ids = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

function dialectOf(root: Readonly<Record<string, unknown>>): Dialect | SchemaProblem {
  const id = Object.hasOwn(root, '$schema') ? root.$schema : undefined;
  if (id === undefined) return 'draft-07';
  if (typeof id !== 'string') return problemAt('$schema', 'must be a string');
  if (draft07Ids.test(id)) return 'draft-07';
  if (draft2020Ids.test(id)) return '2020-12';
  const known =
    '"http://json-schema.org/draft-07/schema#" or "https://json-schema.org/draft/2020-12/schema"';
  return problemAt('$schema', `must be ${known}; it is ${shown(id)}`);
}
