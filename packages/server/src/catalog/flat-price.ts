import type { FlatPrice, ModelRates, ToolPrice } from '../domain/rates.ts';
import { larger } from '../lib/money.ts';

export type ToolUses = Readonly<Record<string, number>>;

export function flatCost(price: FlatPrice, uses: ToolUses = {}): bigint {
  let amount = price.perRequestPicoUsd ?? 0n;
  for (const [tool, { picoUsd }] of toolsOf(price)) amount += BigInt(usesOf(uses, tool)) * picoUsd;
  return amount;
}

/** Assumes the maximum number of uses while the count is unknown. */
export function mostUses(price: FlatPrice, uses: ToolUses = {}): ToolUses {
  const most = toolsOf(price).map(([tool, { usesMax = 0 }]) => {
    return [tool, Math.max(usesMax, usesOf(uses, tool))] as const;
  });
  return Object.fromEntries(most);
}

export function flatCostMax(price: FlatPrice): bigint {
  return flatCost(price, mostUses(price));
}

export function mapAmounts(
  { perRequestPicoUsd, toolUses }: FlatPrice,
  change: (amount: bigint) => bigint,
): FlatPrice {
  const changed = (price: ToolPrice) => ({ ...price, picoUsd: change(price.picoUsd) });
  const tools = Object.entries(toolUses ?? {}).map(([tool, price]) => [tool, changed(price)]);
  return {
    ...(perRequestPicoUsd !== undefined && { perRequestPicoUsd: change(perRequestPicoUsd) }),
    ...(toolUses !== undefined && { toolUses: Object.fromEntries(tools) }),
  };
}

export function amountsIn(price: FlatPrice): readonly bigint[] {
  return [price.perRequestPicoUsd ?? 0n, ...toolsOf(price).map(([, { picoUsd }]) => picoUsd)];
}

/** The highest amount for a request; undefined if no price has one. */
export function highestPerRequest(prices: readonly ModelRates[]): bigint | undefined {
  const amounts = prices.flatMap(({ flat }) => flat?.perRequestPicoUsd ?? []);
  return amounts.length === 0 ? undefined : amounts.reduce(larger);
}

/** Every object has a `constructor`, which can also be a tool's name. */
function usesOf(uses: ToolUses, tool: string): number {
  return Object.hasOwn(uses, tool) ? (uses[tool] ?? 0) : 0;
}

function toolsOf({ toolUses = {} }: FlatPrice): readonly (readonly [string, ToolPrice])[] {
  return Object.entries(toolUses);
}
