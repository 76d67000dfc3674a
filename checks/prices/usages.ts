import type { ShippedModel } from '../../packages/server/src/catalog/shipped-model.ts';
import type { Counts } from './rates.ts';

/** Numbers from 0 to below `limit`, the same in each run. */
export type Random = (limit: number) => number;

/** Xorshift: a row is always compared on the same usages. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** For a model whose row has no limit. */
const outputMax = 128_000;
/** An embeddings call has many texts, and the context of a row limits each text. */
const embeddingsInputMax = 300_000;

/** Usages of a model up to its context: every fifth is at or next to one of the steps. */
export function* usagesOf(
  model: Pick<ShippedModel, 'contextTokens' | 'maxOutputTokens' | 'kind'>,
  parts: { readonly random: Random; readonly count: number; readonly steps: readonly number[] },
): Generator<Counts> {
  const { random, count } = parts;
  const inputMax =
    model.kind === 'embeddings' ? embeddingsInputMax : (model.contextTokens ?? outputMax);
  const edges = parts.steps.flatMap((above) => [above - 1, above, above + 1]);
  for (let index = 0; index < count; index++) {
    const edge = index % 5 === 0 ? edges[random(edges.length || 1)] : undefined;
    const input = edge ?? random(index % 2 === 0 ? 2_000 : inputMax + 1);
    const cached = random(input + 1);
    const written = random(input - cached + 1);
    const output = random((model.maxOutputTokens ?? outputMax) + 1);
    yield { input, cached, written, writtenForHour: random(written + 1), output };
  }
}
