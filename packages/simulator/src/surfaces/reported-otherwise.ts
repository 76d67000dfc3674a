import type { TokenCounts } from '../usage.ts';
import { isRecord } from '../wire.ts';

type Json = Readonly<Record<string, unknown>>;

/** What was billed. */
export interface Billed {
  readonly usage: TokenCounts;
  readonly picoUsd: bigint;
}

/** A response whose `usage` or terms are those of another vendor. */
type Reword = (response: Json, usage: Json, billed: Billed) => Json;

const inUsage =
  (more: (billed: Billed) => Json): Reword =>
  (response, usage, billed) => ({ ...response, usage: { ...usage, ...more(billed) } });

/** Totals by their usual names, with the cached input by others. */
const cached =
  (more: (usage: TokenCounts, detailsName: string) => Json): Reword =>
  (response, { prompt_tokens_details: _, input_tokens_details: __, ...usage }, billed) => {
    const name = usage.input_tokens === undefined ? 'prompt_tokens' : 'input_tokens';
    return { ...response, usage: { ...usage, ...more(billed.usage, `${name}_details`) } };
  };

/** Details of the input, where what was written to the cache has this name. */
const cachedDetails = (writeName: string) =>
  cached(({ cachedInputTokens, cacheWriteInputTokens }, detailsName) => ({
    [detailsName]: { cached_tokens: cachedInputTokens, [writeName]: cacheWriteInputTokens },
  }));

/** Only the totals, by other names; those that the response does not have are left out. */
const totals =
  (countsOf: (usage: Json) => Json): Reword =>
  (response, usage) => ({ ...response, usage: countsOf(usage) });

const rewords = {
  /** Moonshot: within the first choice. */
  'choice-usage': ({ usage: _, choices, ...response }, usage) => ({
    ...response,
    choices: Array.isArray(choices) ? choices.map((choice) => ({ ...choice, usage })) : choices,
  }),
  /** Groq: next to the choices. */
  'x-groq': ({ usage: _, ...response }, usage) => ({ ...response, x_groq: { id: 'req_x', usage } }),
  /** Gemini: next to the choices, by names of its own. */
  'usage-metadata': ({ usage: _, ...response }, __, { usage }) => ({
    ...response,
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      cachedContentTokenCount: usage.cachedInputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  }),
  /** The names of the other formats. */
  'input-names': totals((usage) => ({
    input_tokens: usage.prompt_tokens,
    output_tokens: usage.completion_tokens,
  })),
  'prompt-names': totals((usage) => ({
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
  })),
  /** Some servers of embeddings. */
  'total-only': totals((usage) => ({ total_tokens: usage.total_tokens })),
  /** LiteLLM: Anthropic's names of cached input, within OpenAI's totals. */
  'cache-creation': cached((usage) => ({
    cache_read_input_tokens: usage.cachedInputTokens,
    cache_creation_input_tokens: usage.cacheWriteInputTokens,
  })),
  /** Bedrock's names, within OpenAI's totals. */
  'camel-case': cached((usage) => ({
    cacheReadInputTokens: usage.cachedInputTokens,
    cacheWriteInputTokens: usage.cacheWriteInputTokens,
  })),
  /** LiteLLM, New API, DashScope and Bifrost. */
  'cache-creation-tokens': cachedDetails('cache_creation_tokens'),
  'cached-creation-tokens': cachedDetails('cached_creation_tokens'),
  'cache-creation-input-tokens': cachedDetails('cache_creation_input_tokens'),
  'cached-write-tokens': cachedDetails('cached_write_tokens'),
  /** OpenAI: another tier. */
  priority: (response) => ({ ...response, service_tier: 'priority' }),
  /** Anthropic: another tier, region or speed, and a search. */
  'usage-priority': inUsage(() => ({ service_tier: 'priority' })),
  'us-region': inUsage(() => ({ inference_geo: 'us' })),
  'fast-speed': inUsage(() => ({ speed: 'fast' })),
  'web-search': inUsage(() => ({ server_tool_use: { web_search_requests: 3 } })),
  /** Perplexity: searches. */
  queries: inUsage(() => ({ num_search_queries: 3 })),
  /** OpenAI: a search that a response has made. */
  'search-call': ({ output, ...response }) => ({
    ...response,
    output: [
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      ...(Array.isArray(output) ? output : []),
    ],
  }),
  /** A number that no vendor has. */
  unknown: inUsage(() => ({ surcharge_units: 7 })),
  /** OpenRouter, DeepInfra, Perplexity and xAI: what the call costs. */
  cost: inUsage((billed) => ({ cost: usdOf(billed) })),
  'estimated-cost': inUsage((billed) => ({ estimated_cost: usdOf(billed) })),
  'total-cost': inUsage((billed) => ({ cost: { total_cost: usdOf(billed) } })),
  'cost-ticks': inUsage(({ picoUsd }) => ({ cost_in_usd_ticks: Number(picoUsd / 100n) })),
} satisfies Record<string, Reword>;

/** Vendors write a number. */
function usdOf({ picoUsd }: Billed): number {
  return Number(picoUsd) / 1e12;
}

/** A vendor's way to report counts, terms or a cost. */
export type OtherWords = keyof typeof rewords;

/** Their names. */
export const otherWords = Object.keys(rewords).filter(isOtherWords);

function isOtherWords(name: string): name is OtherWords {
  return Object.hasOwn(rewords, name);
}

/** The JSON of a response or an event, as another vendor reports it; without a `usage` as it is. */
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
