import type { PlatformKind } from '../../packages/server/src/domain/platform-kinds/platform-kinds.ts';
import { isRecord } from '../../packages/server/src/lib/json-value.ts';
import { type Part, type PriceSource, type Rate, type SourcePrice, wholeOf } from './rates.ts';

const providers: Partial<Record<PlatformKind, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'bedrock-mantle': 'bedrock_mantle',
};

const keys: Readonly<Record<Part, string>> = {
  input: 'input_cost_per_token',
  cached: 'cache_read_input_token_cost',
  written: 'cache_creation_input_token_cost',
  writtenForHour: 'cache_creation_input_token_cost_above_1hr',
  output: 'output_cost_per_token',
};

/** A row's numbers, as written. */
type Row = Readonly<Record<string, unknown>>;

/** Reads the price map of litellm. */
export function readLitellm(text: string): PriceSource {
  const map = parseExactly(text);
  if (!isRecord(map)) throw new Error('the map of litellm is not an object');
  return {
    name: 'litellm',
    find(kind, id) {
      const provider = providers[kind];
      const row = map[kind === 'bedrock-mantle' ? `bedrock_mantle/${id}` : id];
      if (!isRecord(row) || row.litellm_provider !== provider) return undefined;
      return priceOf(row);
    },
  };
}

/** Numbers stay text: a double would round them. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  );
}

function priceOf(row: Row): SourcePrice | undefined {
  const input = rateOf(row, 'input');
  if (input === undefined) return undefined;
  const others = (['cached', 'written', 'writtenForHour', 'output'] as const).flatMap((part) => {
    const rate = rateOf(row, part);
    return rate === undefined ? [] : [[part, rate] as const];
  });
  const { deprecation_date: retires } = row;
  const ends = typeof retires === 'string' ? { retires } : {};
  return { ...Object.fromEntries(others), input, ...ends };
}

function rateOf(row: Row, part: Part): Rate | undefined {
  const base = row[keys[part]];
  if (typeof base !== 'string') return undefined;
  const steps = Object.entries(row).flatMap(([key, value]) => {
    const above = stepOf(key, keys[part]);
    return above === undefined || typeof value !== 'string' ? [] : [{ above, rate: amount(value) }];
  });
  return { base: amount(base), steps: steps.sort((a, b) => a.above - b.above) };
}

/** 272,000 for `…_above_272k_tokens`; undefined for another part, tier or lifetime. */
function stepOf(key: string, part: string): number | undefined {
  if (!key.startsWith(`${part}_above_`)) return undefined;
  const thousands = /^(\d+)k_tokens$/.exec(key.slice(part.length + '_above_'.length))?.[1];
  return thousands === undefined ? undefined : Number(thousands) * 1_000;
}

/** USD per token as pico-USD per token. */
function amount(usd: string): bigint {
  return wholeOf(usd, 12);
}
