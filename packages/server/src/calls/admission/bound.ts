import { bodyLimits } from '@model-gateway/contract';
import type { CatalogModel, Price } from '../../catalog/catalog.ts';
import {
  dearestInputRate,
  dearestOutputRate,
  highestRates,
  type InputKinds,
} from '../../catalog/cost.ts';
import { flatCostMax } from '../../catalog/flat-price.ts';
import { larger } from '../../lib/money.ts';

/** What a request is, as far as the most that it can cost goes. */
export interface RequestSize {
  /** Bytes of the body as received. */
  readonly bodyBytes: number;
  /**
   * By which the body can grow on its way to the model: numbers that are written anew for the
   * platform, and characters that a tokenizer normalizes.
   */
  readonly grownBytes: number;
  /** Bytes of the images' base64 within it. */
  readonly imageBytes: number;
  readonly images: number;
  /** Bytes of the schema or the tools, as JSON, normalized to the longest. */
  readonly schemaBytes: number;
  readonly hasTools: boolean;
  /** Texts that a model of embeddings reads one by one; 1 if absent. */
  readonly texts?: number;
  readonly cachesForLong?: InputKinds['cachesForLong'];
  /** Its bytes do not bound its tokens: only the context of the model does. */
  readonly isUnbounded?: true;
  /** As the caller asked. */
  readonly maxTokens: number;
}

/** The most that a call can use and cost, and what of its request bears on the price. */
export interface Bound extends InputKinds {
  readonly inputTokens: number;
  /** What the platform is asked for, too. */
  readonly outputTokens: number;
  /** 0 for a call that counts as nothing. */
  readonly amountPicoUsd: bigint;
  /** What the call is held and booked with; undefined for one that counts as nothing. */
  readonly price: Price | undefined;
}

/** Hidden preambles: a chat template, a harmony system prompt, a JSON instruction. */
const preambleTokens = 1_024;
const toolPreambleTokens = 512;

/**
 * The most that a call can cost. A byte-level token covers at least one byte of the text that the
 * tokenizer has normalized, so the bytes of the request with what normalization can add to them
 * bound its tokens whatever the model's tokenizer. Source: ADR 0004.
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
  // A platform rejects a request above the context of its model.
  const inputTokens = size.isUnbounded === true ? (model.contextTokens ?? ofBytes) : ofBytes;
  const outputTokens = outputTokensOf(size.maxTokens, model);
  const isPlain =
    size.cachesForLong === undefined && size.images === 0 && size.isUnbounded === undefined;
  // Most requests are.
  const kinds = isPlain ? noKinds : kindsOf(size);
  const tokens = { inputTokens, outputTokens, price, ...kinds };
  if (price === undefined) return { ...tokens, amountPicoUsd: 0n };
  // A call that cannot reach a step is bounded by the rates below it.
  const all = price.reserved ?? price;
  const rates = all.steps === undefined ? all : highestRates(all, inputTokens);
  const inputPicoUsd = BigInt(inputTokens) * dearestInputRate(rates, kinds);
  const outputPicoUsd =
    BigInt(outputTokens) *
    (rates.parts === undefined ? rates.outputPicoUsd : dearestOutputRate(rates));
  const ofTokens = inputPicoUsd + outputPicoUsd;
  const amountPicoUsd = all.flat === undefined ? ofTokens : ofTokens + flatCostMax(all.flat);
  return { ...tokens, amountPicoUsd };
}

const noKinds: InputKinds = {};

function kindsOf({ cachesForLong, images, isUnbounded }: RequestSize): InputKinds {
  const hasImages = images > 0 || isUnbounded === true;
  return { ...(cachesForLong && { cachesForLong }), ...(hasImages && { hasImages }) };
}

/** The most tokens that a model is asked for where so many are wanted. */
export function outputTokensOf(wanted: number, model: CatalogModel): number {
  return Math.max(Math.min(wanted, model.maxOutputTokens ?? wanted), outputTokensMin(model));
}

/**
 * The least that a platform can be asked for. Asking for more than the caller did is right only if
 * it is held as well, so it is settled here. Source: `docs/decisions`, "OpenAI's responses".
 */
function outputTokensMin({ kind, speaks }: CatalogModel): number {
  if (kind === 'embeddings') return 0;
  return speaks?.[0].endsWith('-responses') === true ? 16 : 1;
}

/** A model that may answer, and the bound of the request as it was sent. */
interface Bounded {
  readonly model: CatalogModel;
  readonly bound: Bound;
}

/**
 * The largest `maxTokens` with which a request fits, whichever of the candidates answers; 0 where
 * none does. `fits` judges the most that it could cost. The number's own digits are bytes of the
 * request.
 */
export function maxTokensThatFit(
  size: RequestSize,
  candidates: readonly Bounded[],
  fits: (amountPicoUsd: bigint) => boolean,
): number {
  const fitsWith = (maxTokens: number) => {
    const longer = String(maxTokens).length - String(size.maxTokens).length;
    const resized = { ...size, maxTokens, bodyBytes: size.bodyBytes + longer };
    const amountOf = ({ model, bound }: Bounded) => boundOf(resized, model, bound.price);
    return fits(candidates.map((each) => amountOf(each).amountPicoUsd).reduce(larger));
  };
  const most = candidates.map(({ model }) => model.maxOutputTokens ?? bodyLimits.maxTokensMax);
  return largest(Math.max(...most), fitsWith);
}

/** The largest number from 1 to `most` that fits, where all below one that does fit; else 0. */
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
