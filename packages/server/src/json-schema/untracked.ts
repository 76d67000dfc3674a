import { joinPath } from '../lib/json-value.ts';
import { problemAt, type SchemaProblem } from './problem.ts';
import type { WeighedPlace } from './weigh.ts';

interface Place extends WeighedPlace {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
}

type Places = ReadonlyMap<object, Place>;

/**
 * The compiler ignores items that `contains` met, and full evaluation by a choice. Such a schema
 * could discard a paid response, or accept a wrong one.
 */
export function findUntracked(places: Places): SchemaProblem | undefined {
  for (const place of places.values()) {
    if (!('unevaluatedItems' in place.schema)) continue;
    const applied = appliedWith(place, places);
    // A count that a choice may leave out begins with the schema's own, or with none at all.
    const lost = 'prefixItems' in place.schema ? whole : [...whole, 'prefixItems'];
    const isChosen = applied.some(({ schema }) => choices.some((name) => name in schema));
    const isWrong = applied.some(
      ({ schema }) =>
        'contains' in schema ||
        (isChosen && schema !== place.schema && lost.some((name) => name in schema)),
    );
    if (isWrong) return problemAt(joinPath(place.path, 'unevaluatedItems'), cure);
  }
  return undefined;
}

const choices = ['anyOf', 'oneOf', 'if', 'dependentSchemas'] as const;
const whole = ['items', 'unevaluatedItems'] as const;
const cure =
  'is not supported next to contains, or to items in a choice; state items or prefixItems instead';

function appliedWith(start: Place, places: Places): readonly Place[] {
  const reached = new Set<Place>([start]);
  for (const { schema, parts } of reached) {
    if (hasAnchor(schema)) return [...places.values()];
    for (const part of parts) {
      const isObject = typeof part.schema === 'object' && part.schema !== null;
      const place = isObject && part.scope === 'itself' ? places.get(part.schema) : undefined;
      if (place !== undefined) reached.add(place);
    }
  }
  return [...reached];
}

function hasAnchor({ $ref, $dynamicRef }: Place['schema']): boolean {
  return [$ref, $dynamicRef].some((text) => typeof text === 'string' && !/^#(\/|$)/.test(text));
}
