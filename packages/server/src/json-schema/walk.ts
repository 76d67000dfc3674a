import { explain } from '../lib/explain.ts';
import { countValues, isRecord, joinPath } from '../lib/json-value.ts';
import { type Dialect, type KeywordVisitor, keywordsOf } from './keywords.ts';
import { pointerParts, problemAt, type SchemaProblem, shown } from './problem.ts';
import type { SchemaNode } from './weigh.ts';

interface WalkedNode extends SchemaNode {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
}

export class SchemaWalk {
  /** In visiting order. */
  readonly nodes = new Map<object, WalkedNode>();
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
    // Nodes added during the loop are visited, too.
    for (const node of this.nodes.values()) {
      const problem = this.#visit(node);
      if (problem !== undefined) return problem;
    }
    return this.hasNestedIds ? undefined : this.#firstStray;
  }

  #visit(node: WalkedNode): SchemaProblem | undefined {
    const isRoot = node.schema === this.#root;
    for (const [name, value] of Object.entries(node.schema)) {
      node.own += 1;
      const keyword = this.#keywords.get(name);
      // The root's own id has no effect, because no reference may use it.
      if (keyword === undefined || (isRoot && name === '$id')) continue;
      this.hasNestedIds ||= name === '$id';
      const path = joinPath(node.path, name);
      const misfit = explain(keyword.value, value, { path });
      if (misfit !== undefined) return problemAt(misfit.path, misfit.text);
      let wrong: SchemaProblem | undefined;
      const note = (problem: SchemaProblem | undefined) => {
        wrong ??= problem;
      };
      const text = keyword.note?.(value, this.#collect(node, path, note));
      if (text !== undefined) return problemAt(path, text);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #collect(
    node: WalkedNode,
    path: string,
    note: (problem: SchemaProblem | undefined) => void,
  ): KeywordVisitor {
    return {
      schema: (schema, scope, suffix = '') => {
        node.parts.push({ schema, scope });
        note(this.#add(schema, path + suffix));
      },
      reference: (text) => note(this.#follow(node, text, path)),
      pattern: (text) => void this.patterns.set(text, path),
      compared(values) {
        node.own += countValues(values);
      },
      costly() {
        node.own = Number.POSITIVE_INFINITY;
      },
    };
  }

  #add(schema: unknown, path: string): SchemaProblem | undefined {
    if (typeof schema === 'boolean') return undefined;
    if (!isRecord(schema)) return problemAt(path, 'must be a schema: an object, true or false');
    if (!this.nodes.has(schema)) this.nodes.set(schema, { schema, path, parts: [], own: 1 });
    return undefined;
  }

  #follow(node: WalkedNode, reference: string, path: string): SchemaProblem | undefined {
    if (!reference.startsWith('#')) {
      const cure = 'only references within the schema, which start with "#", are followed';
      return problemAt(path, `points outside the schema, to ${shown(reference)}; ${cure}`);
    }
    const parts = pointerParts(reference);
    if (parts === undefined) {
      // An anchor: the compiler resolves it.
      node.own = Number.POSITIVE_INFINITY;
      return undefined;
    }
    const target = resolve(this.#root, parts);
    if (target === undefined) {
      this.#firstStray ??= problemAt(path, `does not resolve: ${shown(reference)}`);
      node.own = Number.POSITIVE_INFINITY;
      return undefined;
    }
    node.parts.push({ schema: target, scope: 'itself' });
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
