import { bodyLimits } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import {
  highestInputRate,
  highestOutputRate,
  highestRates,
  type InputKinds,
} from '../../catalog/cost.ts';
import { flatCostMax } from '../../catalog/flat-price.ts';
import { larger } from '../../lib/money.ts';
import type { Bound, RequestSize } from '../model/candidate.ts';

/** Hidden preambles: a chat template, a harmony system prompt, a JSON instruction. */
const preambleTokens = 1_024;
const toolPreambleTokens = 512;

/**
 * A byte-level token covers at least one byte of normalized text, so the request's bytes plus
 * normalization growth bound its tokens for any tokenizer. ADR 0004.
 */
export function boundOf(size: RequestSize, model: CatalogModel, price = model.price): Bound {
  const ofBytes =
    size.bodyBytes -
    size.imageBytes +
    size.grownBytes +
    size.schemaBytes +
    preambleTokens +
    (size.hasTools ? toolPreambleTokens : 0) +
    size.images * model.imageTokensMax +
    (model.send === undefined ? 0 : model.send.tokensMax * (size.texts ?? 1));
  // A platform rejects a request that exceeds the context of its model.
  const inputTokens = size.isUnbounded === true ? (model.contextTokens ?? ofBytes) : ofBytes;
  const outputTokens = outputTokensOf(size.maxTokens, model);
  const isPlain =
    size.cachesForLong === undefined && size.images === 0 && size.isUnbounded === undefined;
  const kinds = isPlain ? noKinds : kindsOf(size);
  const tokens = { inputTokens, outputTokens, price, ...kinds };
  if (price === undefined) return { ...tokens, amountPicoUsd: 0n };
  // A call that cannot reach a price step is bounded by the rates below it.
  const all = price.reserved ?? price;
  const rates = all.steps === undefined ? all : highestRates(all, inputTokens);
  const inputPicoUsd = BigInt(inputTokens) * highestInputRate(rates, kinds);
  const outputPicoUsd =
    BigInt(outputTokens) *
    (rates.parts === undefined ? rates.outputPicoUsd : highestOutputRate(rates));
  const ofTokens = inputPicoUsd + outputPicoUsd;
  const amountPicoUsd = all.flat === undefined ? ofTokens : ofTokens + flatCostMax(all.flat);
  return { ...tokens, amountPicoUsd };
}

const noKinds: InputKinds = {};

function kindsOf({ cachesForLong, images, isUnbounded }: RequestSize): InputKinds {
  const hasImages = images > 0 || isUnbounded === true;
  return { ...(cachesForLong && { cachesForLong }), ...(hasImages && { hasImages }) };
}

/**
 * At least the platform's minimum. Requesting more tokens than the caller did requires reserving
 * them too. `docs/decisions`, "OpenAI's responses".
 */
export function outputTokensOf(requested: number, model: CatalogModel): number {
  const { kind, speaks, maxOutputTokens = requested } = model;
  const smallest = speaks?.[0].endsWith('-responses') === true ? 16 : 1;
  return Math.max(Math.min(requested, maxOutputTokens), kind === 'embeddings' ? 0 : smallest);
}

interface BoundedModel {
  readonly model: CatalogModel;
  readonly bound: Bound;
}

/** 0 if no value fits all candidates. The number's digits are bytes of the request. */
export function maxTokensThatFit(
  size: RequestSize,
  candidates: readonly BoundedModel[],
  fits: (amountPicoUsd: bigint) => boolean,
): number {
  const fitsWith = (maxTokens: number) => {
    const longer = String(maxTokens).length - String(size.maxTokens).length;
    const resized = { ...size, maxTokens, bodyBytes: size.bodyBytes + longer };
    const amountOf = ({ model, bound }: BoundedModel) => boundOf(resized, model, bound.price);
    return fits(candidates.map((each) => amountOf(each).amountPicoUsd).reduce(larger));
  };
  const most = candidates.map(({ model }) => model.maxOutputTokens ?? bodyLimits.maxTokensMax);
  return largest(Math.max(...most), fitsWith);
}

/** `fits` must be monotonic. Returns 0 if no number fits. */
function largest(most: number, fits: (number: number) => boolean): number {
  if (fits(most)) return most;
  let [under, over] = [0, most];
  while (over - under > 1) {
    const middle = Math.floor((under + over) / 2);
    if (fits(middle)) under = middle;
    else over = middle;
  }
  return under;
}
