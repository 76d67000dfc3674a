import { explain } from '../lib/explain.ts';
import { countValues, isRecord, joinPath } from '../lib/json-value.ts';
import { type Dialect, type Found, keywordsOf } from './keywords.ts';
import { pointerParts, problemAt, type SchemaProblem, shown } from './problem.ts';
import type { WeighedPlace } from './weigh.ts';

interface Place extends WeighedPlace {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
}

export class SchemaWalk {
  /** In visiting order. */
  readonly places = new Map<object, Place>();
  readonly patterns = new Map<string, string>();
  /** References below an id have another base; only the compiler finds broken ones. */
  hasNestedIds = false;
  readonly #root: Readonly<Record<string, unknown>>;
  readonly #keywords: ReturnType<typeof keywordsOf>;
  #firstStray: SchemaProblem | undefined;

  constructor(root: Readonly<Record<string, unknown>>, dialect: Dialect) {
    this.#root = root;
    this.#keywords = keywordsOf(dialect);
  }

  run(): SchemaProblem | undefined {
    this.#add(this.#root, '');
    // What is added meanwhile has its turn as well.
    for (const place of this.places.values()) {
      const problem = this.#visit(place);
      if (problem !== undefined) return problem;
    }
    return this.hasNestedIds ? undefined : this.#firstStray;
  }

  #visit(place: Place): SchemaProblem | undefined {
    const isRoot = place.schema === this.#root;
    for (const [name, value] of Object.entries(place.schema)) {
      place.own += 1;
      const keyword = this.#keywords.get(name);
      // The root's own id changes nothing, as no reference may use it.
      if (keyword === undefined || (isRoot && name === '$id')) continue;
      this.hasNestedIds ||= name === '$id';
      const path = joinPath(place.path, name);
      const misfit = explain(keyword.value, value, { path });
      if (misfit !== undefined) return problemAt(misfit.path, misfit.text);
      let wrong: SchemaProblem | undefined;
      const note = (found: SchemaProblem | undefined) => {
        wrong ??= found;
      };
      const text = keyword.note?.(value, this.#collect(place, path, note));
      if (text !== undefined) return problemAt(path, text);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #collect(place: Place, path: string, note: (problem: SchemaProblem | undefined) => void): Found {
    return {
      schema: (schema, scope, suffix = '') => {
        place.parts.push({ schema, scope });
        note(this.#add(schema, path + suffix));
      },
      reference: (text) => note(this.#follow(place, text, path)),
      pattern: (text) => void this.patterns.set(text, path),
      compared(values) {
        place.own += countValues(values);
      },
      costly() {
        place.own = Number.POSITIVE_INFINITY;
      },
    };
  }

  #add(schema: unknown, path: string): SchemaProblem | undefined {
    if (typeof schema === 'boolean') return undefined;
    if (!isRecord(schema)) return problemAt(path, 'must be a schema: an object, true or false');
    if (!this.places.has(schema)) this.places.set(schema, { schema, path, parts: [], own: 1 });
    return undefined;
  }

  #follow(place: Place, reference: string, path: string): SchemaProblem | undefined {
    if (!reference.startsWith('#')) {
      const cure = 'only references within the schema, which start with "#", are followed';
      return problemAt(path, `points outside the schema, to ${shown(reference)}; ${cure}`);
    }
    const parts = pointerParts(reference);
    if (parts === undefined) {
      // An anchor: the compiler finds it.
      place.own = Number.POSITIVE_INFINITY;
      return undefined;
    }
    const target = resolve(this.#root, parts);
    if (target === undefined) {
      this.#firstStray ??= problemAt(path, `does not resolve: ${shown(reference)}`);
      place.own = Number.POSITIVE_INFINITY;
      return undefined;
    }
    place.parts.push({ schema: target, scope: 'itself' });
    return this.#add(target, parts.reduce(joinPath, ''));
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
