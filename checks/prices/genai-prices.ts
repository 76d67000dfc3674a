import type { PlatformKind } from '../../packages/server/src/domain/platform-kinds/platform-kinds.ts';
import { type PythonCall, type PythonValue, readPythonValue } from './python-values.ts';
import { type Part, type PriceSource, type Rate, type SourcePrice, wholeOf } from './rates.ts';

const start = 'providers: list[Provider] = ';

const providerIds: Partial<Record<PlatformKind, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  'bedrock-mantle': 'aws',
};

const keys: Readonly<Record<Part, string>> = {
  input: 'input_mtok',
  cached: 'cache_read_mtok',
  written: 'cache_write_mtok',
  writtenForHour: 'cache_write_1h_mtok',
  output: 'output_mtok',
};

/** It has mantle's prices under the ids of bedrock-runtime, where those end in a day. */
const otherIds: ReadonlyMap<string, string> = new Map([
  ['anthropic.claude-haiku-4-5', 'anthropic.claude-haiku-4-5-20251001-v1:0'],
]);

/** Reads `data.py` of genai-prices. */
export function readGenaiPrices(text: string): PriceSource {
  const from = text.indexOf(start);
  if (from === -1) throw new Error(`data.py has no ${start}`);
  const providers = listOf(readPythonValue(text, from + start.length));
  const modelsOf = new Map(
    providers.map((provider) => [textIn(provider, 'id'), listOf(provider.fields.get('models'))]),
  );
  return {
    name: 'genai-prices',
    find(kind, id, day) {
      const models = modelsOf.get(providerIds[kind] ?? '') ?? [];
      const sought = kind === 'bedrock-mantle' ? (otherIds.get(id) ?? id) : id;
      const model = models.find(({ fields }) => isMatch(fields.get('match'), sought));
      if (model === undefined) return undefined;
      return priceOf(pricesOn(model.fields.get('prices'), day));
    },
  };
}

function isMatch(clause: PythonValue, id: string): boolean {
  if (!isCall(clause)) return false;
  const { name, fields, values } = clause;
  switch (name) {
    case 'ClauseEquals':
      return id === textIn(clause, 'equals').toLowerCase();
    case 'ClauseStartsWith':
      return id.startsWith(textIn(clause, 'starts_with').toLowerCase());
    case 'ClauseEndsWith':
      return id.endsWith(textIn(clause, 'ends_with').toLowerCase());
    case 'ClauseContains':
      return id.includes(textIn(clause, 'contains').toLowerCase());
    case 'ClauseOr':
      return listOf(fields.get('or_') ?? values[0]).some((one) => isMatch(one, id));
    case 'ClauseAnd':
      return listOf(fields.get('and_') ?? values[0]).every((one) => isMatch(one, id));
    case 'ClauseRegex':
      // The three providers' own ids end in a day, which no row has.
      return false;
    default:
      throw new Error(`genai-prices has a clause ${name}`);
  }
}

/** The last of the dated prices that is valid on the day. */
function pricesOn(prices: PythonValue, day: string): PythonValue {
  if (!Array.isArray(prices)) return prices;
  const inForce = listOf(prices).filter(({ fields }) => {
    const constraint = fields.get('constraint');
    if (constraint === undefined) return true;
    if (!isCall(constraint) || constraint.name !== 'StartDateConstraint') {
      throw new Error('genai-prices has a price by the time of day');
    }
    return dayOf(constraint.fields.get('start_date')) <= day;
  });
  return inForce.at(-1)?.fields.get('prices');
}

function dayOf(date: PythonValue): string {
  if (!isCall(date)) throw new Error('genai-prices has a date that is none');
  const [year, month, day] = date.values;
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

function priceOf(price: PythonValue): SourcePrice | undefined {
  if (!isCall(price)) return undefined;
  const rateOf = (part: Part) => rate(price.fields.get(keys[part]));
  const input = rateOf('input');
  if (input === undefined) return undefined;
  const others = (['cached', 'written', 'writtenForHour', 'output'] as const).flatMap((part) => {
    const rate = rateOf(part);
    return rate === undefined ? [] : [[part, rate] as const];
  });
  return { ...Object.fromEntries(others), input };
}

function rate(value: PythonValue): Rate | undefined {
  if (value === undefined) return undefined;
  if (!isCall(value)) throw new Error('genai-prices has a rate that is none');
  if (value.name === 'Decimal') return { base: amountOf(value), steps: [] };
  const steps = listOf(value.fields.get('tiers')).map((tier) => ({
    above: Number(tier.fields.get('start')),
    rate: amountOf(tier.fields.get('price')),
  }));
  steps.sort((a, b) => a.above - b.above);
  return { base: amountOf(value.fields.get('base')), steps };
}

/** USD per million tokens as pico-USD per token. */
function amountOf(decimal: PythonValue): bigint {
  if (!isCall(decimal)) throw new Error('genai-prices has an amount that is none');
  return wholeOf(String(decimal.values[0]), 6);
}

function isCall(value: PythonValue): value is PythonCall {
  return typeof value === 'object' && 'fields' in value;
}

function listOf(value: PythonValue): readonly PythonCall[] {
  return Array.isArray(value) ? value.filter(isCall) : [];
}

function textIn({ fields }: PythonCall, name: string): string {
  const value = fields.get(name);
  if (typeof value !== 'string') throw new Error(`genai-prices has no ${name}`);
  return value;
}
