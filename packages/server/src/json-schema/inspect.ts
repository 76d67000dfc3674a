import { findUnwritable, isRecord, joinPath } from '../lib/json-value.ts';
import { findEndless } from './endless.ts';
import { type Dialect, type Found, keywordsOf } from './keywords.ts';
import { pointerParts, problemAt, type SchemaProblem, shown } from './problem.ts';
import { type WeighedPlace, weigh } from './weigh.ts';

/** A schema that is one, as far as can be told without compiling it. */
export interface Inspection {
  readonly kind: 'sound';
  readonly dialect: Dialect;
  /** Every schema in it, itself included, and where it is. */
  readonly paths: ReadonlyMap<object, string>;
  /** Where each of its patterns is. */
  readonly patterns: ReadonlyMap<string, string>;
  /** What any one value within an answer is compared with at most: see `weigh`. */
  readonly weight: number;
  /** Where a schema leads back to itself without a step into the value: no check by it ends. */
  readonly endlessAt: string | undefined;
}

interface Place extends WeighedPlace {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/**
 * Checks a schema against the vocabulary of its dialect, in time that is proportional to its size:
 * nothing is compiled, no pattern is run, no reference leaves the document. Throws nothing.
 */
export function inspect(root: unknown): Inspection | SchemaProblem {
  if (!isRecord(root)) return problemAt('', 'must be a JSON Schema: an object');
  const unwritable = findUnwritable(root);
  if (unwritable !== undefined) return problemAt(unwritable.path, unwritable.text);
  const dialect = dialectOf(root);
  if (typeof dialect !== 'string') return dialect;
  const walk = createWalk(root, dialect);
  for (const place of walk.queue) {
    const problem = walk.visit(place);
    if (problem !== undefined) return problem;
  }
  const stray = walk.stray();
  if (stray !== undefined) return stray;
  const { places, patterns } = walk;
  const paths = new Map<object, string>(walk.queue.map(({ schema, path }) => [schema, path]));
  const endless = walk.hasNestedIds() ? undefined : findEndless(root, places);
  const endlessAt = endless === undefined ? undefined : paths.get(endless);
  return { kind: 'sound', dialect, paths, patterns, weight: weigh(root, places), endlessAt };
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

function createWalk(root: Readonly<Record<string, unknown>>, dialect: Dialect) {
  const keywords = keywordsOf(dialect);
  const places = new Map<object, Place>();
  const queue: Place[] = [];
  const patterns = new Map<string, string>();
  let firstStray: SchemaProblem | undefined;
  let hasNestedIds = false;
  add(root, '');
  // Below an id, references start elsewhere: then the compiler tells which lead to nothing.
  const stray = () => (hasNestedIds ? undefined : firstStray);
  return { queue, places, patterns, visit, stray, hasNestedIds: () => hasNestedIds };

  function visit(place: Place): SchemaProblem | undefined {
    const isRoot = place.schema === root;
    for (const [name, value] of Object.entries(place.schema)) {
      place.own += 1;
      const rule = keywords.get(name);
      // The root's own id changes nothing, as no reference may use it.
      if (rule === undefined || (isRoot && name === '$id')) continue;
      hasNestedIds ||= name === '$id';
      const path = joinPath(place.path, name);
      let wrong: SchemaProblem | undefined;
      const note = (found: SchemaProblem | undefined) => {
        wrong ??= found;
      };
      const text = rule(value, collect(place, path, note));
      if (text !== undefined) return problemAt(path, text);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  function collect(
    place: Place,
    path: string,
    note: (problem: SchemaProblem | undefined) => void,
  ): Found {
    return {
      schema(schema, scope, suffix = '') {
        place.parts.push({ schema, scope });
        note(add(schema, path + suffix));
      },
      reference: (text) => note(follow(place, text, path)),
      pattern: (text) => void patterns.set(text, path),
      compared(values) {
        place.own += countValues(values);
      },
      costly() {
        place.own = Number.POSITIVE_INFINITY;
      },
    };
  }

  function add(schema: unknown, path: string): SchemaProblem | undefined {
    if (typeof schema === 'boolean') return undefined;
    if (!isRecord(schema)) return problemAt(path, 'must be a schema: an object, true or false');
    if (places.has(schema)) return undefined;
    const place: Place = { schema, path, parts: [], own: 1 };
    places.set(schema, place);
    queue.push(place);
    return undefined;
  }

  function follow(place: Place, reference: string, path: string): SchemaProblem | undefined {
    if (!reference.startsWith('#')) {
      const cure = 'only references within the schema, which start with "#", are followed';
      return problemAt(path, `leads out of the schema, to ${shown(reference)}; ${cure}`);
    }
    const parts = pointerParts(reference);
    if (parts === undefined) {
      // An anchor: the compiler finds it.
      place.own = Number.POSITIVE_INFINITY;
      return undefined;
    }
    const target = resolve(root, parts);
    if (target === undefined) {
      firstStray ??= problemAt(path, `leads to nothing: ${shown(reference)}`);
      place.own = Number.POSITIVE_INFINITY;
      return undefined;
    }
    place.parts.push({ schema: target, scope: 'itself' });
    return add(target, parts.reduce(joinPath, ''));
  }
}

function resolve(root: unknown, parts: readonly string[]): unknown {
  let value = root;
  for (const part of parts) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return;
    value = Reflect.get(value, part);
  }
  return value;
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1);
}
