import type { ModelInfo, ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import { factorUnit } from '../domain/price-terms.ts';
import { formatDecimal, parseUsdPerMillion } from '../lib/money.ts';
import type { RateRow, StepRow } from './model-row.ts';

export const genaiPricesName = '@pydantic/genai-prices 0.1.8';

export interface ProviderPrices {
  readonly models: readonly ListedModel[];
  find(id: string, atMs: number): PriceLookup;
}

export interface ListedModel {
  readonly id: string;
  readonly names: readonly string[];
}

export type PriceLookup =
  | {
      readonly kind: 'found';
      readonly modelId: string;
      readonly price: RateRow;
      readonly contextTokens: number | undefined;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** Only the import of models needs the package. Undefined for an unknown provider. */
export async function loadProviderPrices(providerId: string): Promise<ProviderPrices | undefined> {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
  const provider = findProvider({ providerId });
  if (provider === undefined || provider.id !== providerId) return undefined;
  return {
    models: provider.models
      .filter(({ deprecated }) => deprecated !== true)
      .map(({ id, match }) => ({ id, names: namesIn(match) })),
    find(id, atMs) {
      const result = calcPrice({ input_tokens: 1 }, id, { provider, timestamp: new Date(atMs) });
      if (result === null || result.provider.id !== providerId) {
        return { kind: 'none', reason: 'the package has no such model' };
      }
      return readPrice(result.model, result.model_price);
    },
  };
}

function namesIn(match: ModelInfo['match']): readonly string[] {
  if ('or' in match) return match.or.flatMap(namesIn);
  if ('equals' in match) return [match.equals];
  // A prefix that ends in a dash is not an id.
  return 'starts_with' in match && !match.starts_with.endsWith('-') ? [match.starts_with] : [];
}

function readPrice(model: ModelInfo, price: ModelPrice): PriceLookup {
  const { prices } = model;
  if (Array.isArray(prices) && prices.some((one) => one.constraint?.type === 'time_of_date')) {
    return { kind: 'none', reason: 'its price depends on the time of day' };
  }
  if (Object.keys(price).some((key) => /^output_(audio|image|video)|^input_image/.test(key))) {
    return { kind: 'none', reason: 'it bills images, audio or video at prices of their own' };
  }
  const tierStart = tierStartOf(price);
  if (tierStart === 'several') {
    return { kind: 'none', reason: 'its price has more than one step' };
  }
  const rates = ratesAt(price, 'base');
  const stepRates = ratesAt(price, 'long');
  if (rates === undefined || stepRates === undefined) {
    return { kind: 'none', reason: 'it has no exact price for input and output tokens' };
  }
  const { id: modelId, context_window: contextTokens } = model;
  if (tierStart === undefined) return { kind: 'found', modelId, price: rates, contextTokens };
  const factors = factorsOf(rates, stepRates);
  if (factors === undefined) {
    const reason = `its rates above ${tierStart} tokens of input are not multiples of at most six decimals`;
    return { kind: 'none', reason };
  }
  // The package's tiers begin above their start.
  const aboveInputTokens = [{ tokens: tierStart, factors }];
  return { kind: 'found', modelId, price: { ...rates, aboveInputTokens }, contextTokens };
}

function factorsOf(base: RateRow, step: RateRow): StepRow['factors'] | undefined {
  const input = factorOf(base.inputUsdPerMillion, step.inputUsdPerMillion);
  const cachedInput = factorOf(base.cachedInputUsdPerMillion, step.cachedInputUsdPerMillion);
  const cacheWrite = factorOf(base.cacheWriteInputUsdPerMillion, step.cacheWriteInputUsdPerMillion);
  const output = factorOf(base.outputUsdPerMillion, step.outputUsdPerMillion);
  if (input === undefined || cachedInput === undefined) return undefined;
  if (cacheWrite === undefined || output === undefined) return undefined;
  const { cacheWrite1hInputUsdPerMillion: forHour } = base;
  const isSame =
    forHour === undefined || factorOf(forHour, step.cacheWrite1hInputUsdPerMillion) === cacheWrite;
  return isSame ? { input, cachedInput, cacheWrite, output } : undefined;
}

function factorOf(from = '0', to = '0'): string | undefined {
  const [base, step] = [parseUsdPerMillion(from) ?? 0n, parseUsdPerMillion(to) ?? 0n];
  if (base === 0n || (step * factorUnit) % base !== 0n) return undefined;
  return formatDecimal((step * factorUnit) / base, 6);
}

const textKeys = [
  ...(['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok'] as const),
  'output_mtok',
] as const;

type PriceValue = number | TieredPrices | undefined;

function tierStartOf(price: ModelPrice): number | 'several' | undefined {
  const tiers = textKeys.map((key) => price[key]).filter((value) => typeof value === 'object');
  const starts = new Set(tiers.flatMap((value) => value.tiers.map(({ start }) => startOf(start))));
  const [start] = starts;
  return starts.size > 1 ? 'several' : start;
}

/**
 * OpenAI bills long context above 272,000 tokens; version 0.1.8 of the package contains 271,999.
 */
function startOf(listedStart: number): number {
  return listedStart === 271_999 ? 272_000 : listedStart;
}

/** Without their own prices, both kinds of cached input cost the same as input. */
function ratesAt(price: ModelPrice, step: 'base' | 'long'): RateRow | undefined {
  const input = decimalAt(price.input_mtok, step);
  const output = decimalAt(price.output_mtok, step);
  if (input === undefined || output === undefined) return undefined;
  const cached =
    price.cache_read_mtok === undefined ? input : decimalAt(price.cache_read_mtok, step);
  const write =
    price.cache_write_mtok === undefined ? input : decimalAt(price.cache_write_mtok, step);
  if (cached === undefined || write === undefined) return undefined;
  const forHour = decimalAt(price.cache_write_1h_mtok, step);
  return {
    inputUsdPerMillion: input,
    cachedInputUsdPerMillion: cached,
    cacheWriteInputUsdPerMillion: write,
    outputUsdPerMillion: output,
    ...(forHour !== undefined && { cacheWrite1hInputUsdPerMillion: forHour }),
  };
}

/** Undefined for a price that is not a whole number of pico-USD per token. */
function decimalAt(value: PriceValue, step: 'base' | 'long'): string | undefined {
  if (value === undefined) return undefined;
  const amount = typeof value === 'number' ? value : amountAt(value, step);
  const text = String(amount);
  return parseUsdPerMillion(text) === undefined ? undefined : text;
}

function amountAt({ base, tiers }: TieredPrices, step: 'base' | 'long'): number {
  return step === 'base' ? base : (tiers.at(-1)?.price ?? base);
}
