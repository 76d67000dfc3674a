import type { TokenPrices } from './model/models.ts';
import type { TokenCounts } from './model/usage.ts';

export const tokenTypes = ['input', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'output'] as const;

export type TokenType = (typeof tokenTypes)[number];

export interface BilledDay {
  readonly projectId: string;
  readonly day: string;
  readonly model: string;
  readonly tokenType: TokenType;
  readonly tokens: number;
  readonly costPicoUsd: bigint;
}

interface Charged {
  readonly projectId: string;
  readonly model: string;
  readonly at: number;
  readonly usage: TokenCounts;
  readonly prices: TokenPrices | undefined;
}

export function createBilledDays() {
  const days = new Map<string, BilledDay>();
  return {
    add({ projectId, model, at, usage, prices }: Charged) {
      const day = new Date(at).toISOString().slice(0, 10);
      for (const tokenType of tokenTypes) {
        const tokens = tokensOf(usage, tokenType);
        if (tokens === 0) continue;
        const key = [projectId, day, model, tokenType].join('\n');
        const before = days.get(key);
        const cost = BigInt(tokens) * rateOf(prices, tokenType);
        days.set(key, {
          ...{ projectId, day, model, tokenType, tokens: tokens + (before?.tokens ?? 0) },
          costPicoUsd: cost + (before?.costPicoUsd ?? 0n),
        });
      }
    },
    list: (): readonly BilledDay[] => [...days.values()],
  };
}

function tokensOf(usage: TokenCounts, tokenType: TokenType): number {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const { cacheWrite1hInputTokens = 0 } = usage;
  switch (tokenType) {
    case 'input':
      return inputTokens - cachedInputTokens - cacheWriteInputTokens;
    case 'cacheRead':
      return cachedInputTokens;
    case 'cacheWrite':
      return cacheWriteInputTokens - cacheWrite1hInputTokens;
    case 'cacheWrite1h':
      return cacheWrite1hInputTokens;
    case 'output':
      return outputTokens;
  }
}

/** As billed: an hour in the cache costs twice the input price. */
function rateOf(prices: TokenPrices | undefined, tokenType: TokenType): bigint {
  if (prices === undefined) return 0n;
  const { input, cachedInput, cacheWrite, output } = prices;
  const rates = { input, cacheRead: cachedInput, cacheWrite, cacheWrite1h: input * 2n, output };
  return rates[tokenType];
}
