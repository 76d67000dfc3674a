import type { Scope } from './keywords.ts';

export interface SchemaNode {
  /** Keywords and compared values; infinite if unbounded. */
  own: number;
  readonly parts: { readonly schema: unknown; readonly scope: Scope }[];
}

/** Larger schemas go to a thread: longer chains need its stack. */
const nodesMax = 200;

/**
 * The highest number of keywords and values that any value is compared with. Time is its product
 * with the number of values. Infinite for cycles, whose time depends on the response's depth.
 */
export function weigh(root: object, nodes: ReadonlyMap<object, SchemaNode>): number {
  if (nodes.size > nodesMax) return Number.POSITIVE_INFINITY;
  const known = new Map<object, Weight>();
  return largerOf(weightOf(root));

  function weightOf(schema: unknown): Weight {
    if (typeof schema !== 'object' || schema === null) return { itself: 1, within: 0 };
    const weighed = known.get(schema);
    if (weighed !== undefined) return weighed;
    known.set(schema, endless);
    const weight = sumOf(nodes.get(schema) ?? { own: 1, parts: [] });
    known.set(schema, weight);
    return weight;
  }

  function sumOf({ own, parts }: SchemaNode): Weight {
    let itself = own;
    let within = 0;
    let named = 0;
    for (const { schema, scope } of parts) {
      if (scope === 'nothing') continue;
      const part = weightOf(schema);
      if (scope === 'itself') {
        itself += part.itself;
        within += part.within;
      } else if (scope === 'within') within += largerOf(part);
      else named = Math.max(named, largerOf(part));
    }
    return { itself, within: within + named };
  }
}

interface Weight {
  readonly itself: number;
  readonly within: number;
}

const endless: Weight = { itself: Number.POSITIVE_INFINITY, within: Number.POSITIVE_INFINITY };

function largerOf({ itself, within }: Weight): number {
  return Math.max(itself, within);
}
