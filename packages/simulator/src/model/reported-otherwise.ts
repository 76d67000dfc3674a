import { isRecord } from '../lib/wire.ts';
import type { TokenCounts } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Billed {
  readonly usage: TokenCounts;
  readonly picoUsd: bigint;
}

type Reword = (response: Json, usage: Json, billed: Billed) => Json;

const inUsage =
  (more: (billed: Billed) => Json): Reword =>
  (response, usage, billed) => ({ ...response, usage: { ...usage, ...more(billed) } });

const cached =
  (more: (usage: TokenCounts, detailsName: string) => Json): Reword =>
  (response, { prompt_tokens_details: _, input_tokens_details: __, ...usage }, billed) => {
    const name = usage.input_tokens === undefined ? 'prompt_tokens' : 'input_tokens';
    return { ...response, usage: { ...usage, ...more(billed.usage, `${name}_details`) } };
  };

/** `writeName` is the name of the cache writes' count. */
const cachedDetails = (writeName: string) =>
  cached(({ cachedInputTokens, cacheWriteInputTokens }, detailsName) => ({
    [detailsName]: { cached_tokens: cachedInputTokens, [writeName]: cacheWriteInputTokens },
  }));

const totals =
  (countsOf: (usage: Json) => Json): Reword =>
  (response, usage) => ({ ...response, usage: countsOf(usage) });

const rewords = {
  'choice-usage': ({ usage: _, choices, ...response }, usage) => ({
    ...response,
    choices: Array.isArray(choices) ? choices.map((choice) => ({ ...choice, usage })) : choices,
  }),
  'x-groq': ({ usage: _, ...response }, usage) => ({ ...response, x_groq: { id: 'req_x', usage } }),
  /** Gemini: next to the choices, with its own names. */
  'usage-metadata': ({ usage: _, ...response }, __, { usage }) => ({
    ...response,
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      cachedContentTokenCount: usage.cachedInputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  }),
  'input-names': totals((usage) => ({
    input_tokens: usage.prompt_tokens,
    output_tokens: usage.completion_tokens,
  })),
  'prompt-names': totals((usage) => ({
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
  })),
  'total-only': totals((usage) => ({ total_tokens: usage.total_tokens })),
  'cache-creation': cached((usage) => ({
    cache_read_input_tokens: usage.cachedInputTokens,
    cache_creation_input_tokens: usage.cacheWriteInputTokens,
  })),
  'camel-case': cached((usage) => ({
    cacheReadInputTokens: usage.cachedInputTokens,
    cacheWriteInputTokens: usage.cacheWriteInputTokens,
  })),
  'cache-creation-tokens': cachedDetails('cache_creation_tokens'),
  'cached-creation-tokens': cachedDetails('cached_creation_tokens'),
  'cache-creation-input-tokens': cachedDetails('cache_creation_input_tokens'),
  'cached-write-tokens': cachedDetails('cached_write_tokens'),
  priority: (response) => ({ ...response, service_tier: 'priority' }),
  /** Anthropic: another tier, region or speed, and a search. */
  'usage-priority': inUsage(() => ({ service_tier: 'priority' })),
  'us-region': inUsage(() => ({ inference_geo: 'us' })),
  'fast-speed': inUsage(() => ({ speed: 'fast' })),
  'web-search': inUsage(() => ({ server_tool_use: { web_search_requests: 3 } })),
  queries: inUsage(() => ({ num_search_queries: 3 })),
  'search-call': ({ output, ...response }) => ({
    ...response,
    output: [
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      ...(Array.isArray(output) ? output : []),
    ],
  }),
  unknown: inUsage(() => ({ surcharge_units: 7 })),
  cost: inUsage((billed) => ({ cost: usdOf(billed) })),
  'estimated-cost': inUsage((billed) => ({ estimated_cost: usdOf(billed) })),
  'total-cost': inUsage((billed) => ({ cost: { total_cost: usdOf(billed) } })),
  'cost-ticks': inUsage(({ picoUsd }) => ({ cost_in_usd_ticks: Number(picoUsd / 100n) })),
} satisfies Record<string, Reword>;

function usdOf({ picoUsd }: Billed): number {
  return Number(picoUsd) / 1e12;
}

export type OtherWords = keyof typeof rewords;

export const otherWords = Object.keys(rewords).filter(isOtherWords);

function isOtherWords(name: string): name is OtherWords {
  return Object.hasOwn(rewords, name);
}

/** Unchanged without a `usage`. */
export function reportedOtherwise(json: string, words: OtherWords, billed: Billed): string {
  if (!json.includes('"usage":{')) return json;
  const reword: Reword = rewords[words];
  const value: Json = JSON.parse(json);
  const holder = (['response', 'message'] as const).find((name) => isRecord(value[name]));
  const response = holder === undefined ? value : value[holder];
  if (!isRecord(response) || !isRecord(response.usage)) return json;
  const reworded = reword(response, response.usage, billed);
  return JSON.stringify(holder === undefined ? reworded : { ...value, [holder]: reworded });
}
