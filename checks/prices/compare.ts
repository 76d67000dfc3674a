import { cost } from '../../packages/server/src/catalog/cost.ts';
import type { ShippedModel } from '../../packages/server/src/catalog/shipped-model.ts';
import { formatUsd } from '../../packages/server/src/lib/money.ts';
import { type Counts, costAt, type PriceSource, type SourcePrice } from './rates.ts';
import { createRandom, usagesOf } from './usages.ts';

/** A difference of prices, or of a model's last day, between a row and a source. */
export interface Difference {
  /** For example `openai gpt-6-sol`. */
  readonly row: string;
  readonly source: string;
  /** The first usage with two costs, or the two days. */
  readonly example: string;
}

export interface Comparison {
  readonly rows: number;
  /** Rows that each source has, by its name. */
  readonly counts: ReadonlyMap<string, number>;
  /** Rows without a source. */
  readonly unknown: readonly string[];
  /** Rows that differ from every source that has them. */
  readonly unconfirmed: readonly string[];
  readonly differences: readonly Difference[];
}

/** Compares the price of each row on a UTC day with each source that has the model. */
export function compareRows(parts: {
  readonly models: readonly ShippedModel[];
  readonly sources: readonly PriceSource[];
  readonly day: string;
  /** The number of usages for each row and source. */
  readonly usages: number;
}): Comparison {
  const counts = new Map(parts.sources.map(({ name }) => [name, 0]));
  const unknown: string[] = [];
  const unconfirmed: string[] = [];
  const differences: Difference[] = [];
  for (const model of parts.models) {
    const row = `${model.platformKind} ${model.id}`;
    const listed = parts.sources.flatMap(({ name, find }) => {
      const price = find(model.platformKind, model.id, parts.day);
      return price === undefined ? [] : [{ name, price }];
    });
    for (const { name } of listed) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (listed.length === 0) unknown.push(row);
    const own = listed.flatMap(({ name, price }) => {
      const example = differenceOf(model, price, parts);
      return example === undefined ? [] : [{ row, source: name, example }];
    });
    if (listed.length > 0 && own.length === listed.length) unconfirmed.push(row);
    differences.push(...own, ...listed.flatMap((one) => retirementOf(model, row, one)));
  }
  return { rows: parts.models.length, counts, unknown, unconfirmed, differences };
}

/** A source without a day has nothing to compare. */
function retirementOf(
  { retires = 'on no day' }: ShippedModel,
  row: string,
  { name: source, price }: { readonly name: string; readonly price: SourcePrice },
): readonly Difference[] {
  if (price.retires === undefined || price.retires === retires) return [];
  return [{ row, source, example: `it retires ${retires} here, ${price.retires} there` }];
}

function differenceOf(
  model: ShippedModel,
  price: SourcePrice,
  { day, usages }: { readonly day: string; readonly usages: number },
): string | undefined {
  const rates = model.prices.findLast(({ fromDay = day }) => fromDay <= day) ?? model.prices[0];
  if (rates === undefined) return 'the row has no price';
  const ownSteps = rates.steps?.map(({ aboveInputTokens }) => aboveInputTokens) ?? [];
  const steps = new Set([...ownSteps, ...stepsOf(price)]);
  const forHour = rates.cacheWrite1hInputPicoUsd;
  const hasHour = price.writtenForHour !== undefined && forHour !== undefined;
  const within = [...steps].filter((above) => above < (model.contextTokens ?? above));
  const random = createRandom(1);
  for (const made of usagesOf(model, { random, count: usages, steps: within })) {
    const counts = hasHour ? made : { ...made, writtenForHour: 0 };
    const ours = cost(usageOf(counts), rates);
    const theirs = costAt(price, counts);
    if (ours !== theirs) {
      const costs = `$${formatUsd(ours)} here, $${formatUsd(theirs)} there`;
      return `${JSON.stringify(counts)} costs ${costs}`;
    }
  }
  return undefined;
}

function stepsOf(price: SourcePrice): readonly number[] {
  const rates = [price.input, price.cached, price.written, price.writtenForHour, price.output];
  return rates.flatMap((rate) => rate?.steps.map(({ above }) => above) ?? []);
}

function usageOf({ input, cached, written, writtenForHour, output }: Counts) {
  return {
    ...{ inputTokens: input, cachedInputTokens: cached, cacheWriteInputTokens: written },
    cacheWrite1hInputTokens: writtenForHour,
    ...{ outputTokens: output, reasoningTokens: 0 },
  };
}
