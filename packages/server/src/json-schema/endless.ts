import type { WeighedPlace } from './weigh.ts';

type Steps = ReadonlyMap<object, WeighedPlace>;

/**
 * A cycle without a step into the value never ends. Only what the root reaches counts. Linear in
 * the references; uses no recursion.
 */
export function findEndless(root: object, places: Steps): object | undefined {
  const reached = new Set<object>([root]);
  for (const schema of reached) {
    for (const part of partsOf(schema, places, 'anywhere')) reached.add(part);
  }
  const ended = new Set<object>();
  for (const start of reached) {
    const found = walk(start, places, ended);
    if (found !== undefined) return found;
  }
  return undefined;
}

function walk(start: object, places: Steps, ended: Set<object>): object | undefined {
  if (ended.has(start)) return undefined;
  const onPath = new Set<object>([start]);
  const open = [{ schema: start, rest: partsOf(start, places, 'itself') }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.rest.pop();
    if (next === undefined) {
      onPath.delete(last.schema);
      ended.add(last.schema);
      open.pop();
    } else if (onPath.has(next)) return next;
    else if (!ended.has(next)) {
      onPath.add(next);
      open.push({ schema: next, rest: partsOf(next, places, 'itself') });
    }
  }
  return undefined;
}

function partsOf(schema: object, places: Steps, scope: 'itself' | 'anywhere'): object[] {
  const found: object[] = [];
  for (const part of places.get(schema)?.parts ?? []) {
    const isMeant = scope === 'itself' ? part.scope === 'itself' : part.scope !== 'nothing';
    if (isMeant && typeof part.schema === 'object' && part.schema !== null) found.push(part.schema);
  }
  return found;
}
