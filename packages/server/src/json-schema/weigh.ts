import type { Scope } from './keywords.ts';

/** One schema within a document, as far as its weight goes. */
export interface WeighedPlace {
  /** Its own keywords, and the values that they compare with; infinite where that is no bound. */
  own: number;
  /** The schemas that it applies. */
  readonly parts: { readonly schema: unknown; readonly scope: Scope }[];
}

/** More schemas than that are for a thread in any case, and longer chains for its stack. */
const placesMax = 200;

/**
 * How many keywords and values any one value within an answer is compared with at most, so that a
 * check takes time in proportion to it and to the number of values. Infinite where schemas lead
 * back to themselves: then it depends on how deep the answer is.
 */
export function weigh(root: object, places: ReadonlyMap<object, WeighedPlace>): number {
  if (places.size > placesMax) return Number.POSITIVE_INFINITY;
  const known = new Map<object, Weight>();
  return peakOf(weightOf(root));

  function weightOf(schema: unknown): Weight {
    if (typeof schema !== 'object' || schema === null) return { itself: 1, within: 0 };
    const weighed = known.get(schema);
    if (weighed !== undefined) return weighed;
    known.set(schema, endless);
    const weight = sumOf(places.get(schema) ?? { own: 1, parts: [] });
    known.set(schema, weight);
    return weight;
  }

  function sumOf({ own, parts }: WeighedPlace): Weight {
    let itself = own;
    let within = 0;
    let named = 0;
    for (const { schema, scope } of parts) {
      if (scope === 'nothing') continue;
      const part = weightOf(schema);
      if (scope === 'itself') {
        itself += part.itself;
        within += part.within;
      } else if (scope === 'within') within += peakOf(part);
      else named = Math.max(named, peakOf(part));
    }
    return { itself, within: within + named };
  }
}

interface Weight {
  /** What the value itself is compared with. */
  readonly itself: number;
  /** What any one of the values within it is compared with, at most. */
  readonly within: number;
}

const endless: Weight = { itself: Number.POSITIVE_INFINITY, within: Number.POSITIVE_INFINITY };

function peakOf({ itself, within }: Weight): number {
  return Math.max(itself, within);
}
