import { isRecord, parseJson } from '../lib/json-value.ts';
import { readAmount } from './amount.ts';
import { badField, InvoiceError } from './invoice-error.ts';
import type { ReadRow, Tally } from './tally.ts';

const usdDigits = 12;

const needed = [
  'line_item_usage_start_date',
  'line_item_usage_type',
  'line_item_usage_amount',
  'pricing_unit',
  'line_item_unblended_cost',
  'line_item_currency_code',
  'line_item_line_item_type',
  'resource_tags',
] as const;

type Column = (typeof needed)[number];

/** Set once Amazon has closed the month; not every export has it. */
const closedColumn = 'bill_invoice_id';

/** Priced usage; taxes, credits and fees belong to the account. */
const usageTypes = new Set(['Usage', 'DiscountedUsage']);

/** As a power of ten. The unit differs between rows. */
const digitsOfUnit = new Map([
  ['tokens', 0],
  ['token', 0],
  ['1k tokens', 3],
  ['1000 tokens', 3],
  ['thousand tokens', 3],
  ['1m tokens', 6],
  ['million tokens', 6],
  ['1000000 tokens', 6],
]);

export function isCur(head: readonly string[]): boolean {
  return head.some((name) => name.startsWith('line_item_'));
}

/**
 * Version 2.0; only models on Bedrock mantle, by their project's tags. Throws an InvoiceError for a
 * missing column, another currency or a bad field.
 */
export function createCurReader(where: string, head: readonly string[], tally: Tally): ReadRow {
  const positions = new Map(needed.map((name) => [name, columnPosition(where, head, name)]));
  const closedAt = head.indexOf(closedColumn);
  if (closedAt === -1) tally.open();
  const usageIn = createMemory((_where, text) => usageOf(text));
  const tagsIn = createMemory(tagsOf);
  return (at: string, fields: readonly string[]) => {
    const field = (name: Column) => fields[positions.get(name) ?? -1] ?? '';
    const usage = usageIn(at, field('line_item_usage_type'));
    const isUsage = usageTypes.has(field('line_item_line_item_type'));
    const currency = field('line_item_currency_code');
    if (currency !== 'USD') throw badField(at, 'line_item_currency_code', currency, 'is not USD');
    if (usage === undefined || !isUsage) return tally.skip();
    if (closedAt !== -1 && fields[closedAt] === '') tally.open();
    const cost = field('line_item_unblended_cost');
    const amount = readAmount(cost, usdDigits);
    if (amount === undefined)
      throw badField(at, 'line_item_unblended_cost', cost, 'is not an amount');
    if (amount.isRounded) tally.round();
    tally.add({
      day: dayIn(at, field('line_item_usage_start_date')),
      ...tagsIn(at, field('resource_tags')),
      kind: 'tokens',
      ...usage,
      quantity: quantityOf(at, field('line_item_usage_amount'), field('pricing_unit')),
      amount: amount.amount,
      tolerance: 0n,
    });
  };
}

function columnPosition(where: string, head: readonly string[], name: string): number {
  const position = head.indexOf(name);
  if (position !== -1) return position;
  throw new InvoiceError(`${where}: the column ${name} is missing; add it to the export`);
}

/** Many rows repeat few texts, so each text is read once. */
function createMemory<Value>(read: (where: string, text: string) => Value) {
  const cache = new Map<string, { readonly value: Value }>();
  return (where: string, text: string): Value => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached.value;
    const value = read(where, text);
    if (cache.size < 10_000) cache.set(text, { value });
    return value;
  };
}

interface Usage {
  readonly model: string;
  readonly tokenType: string;
}

/** `USE1-openai.gpt-oss-120b-mantle-input-tokens-standard`; undefined for other usage. */
function usageOf(usageType: string): Usage | undefined {
  // The last infix ends the model, because a model's name may contain the infix too.
  const at = usageType.lastIndexOf(infix, usageType.length - infix.length - 1);
  if (at < 1 || /[\n\r\u2028\u2029]/.test(usageType)) return undefined;
  const region = /^[A-Z]{2,4}\d{1,2}-/.exec(usageType)?.[0].length ?? 0;
  const model = usageType.slice(region < at ? region : 0, at);
  return { model, tokenType: usageType.slice(at + infix.length) };
}

const infix = '-mantle-';

interface Tags {
  readonly app: string;
  readonly project: string;
}

/** Keys of user tags may have a prefix. */
function tagsOf(where: string, written: string): Tags {
  const tags = written === '' ? {} : parseJson(written)?.value;
  if (!isRecord(tags)) throw badField(where, 'resource_tags', written, 'is not a JSON object');
  const read = (name: string) => {
    const value = tags[`user_${name}`] ?? tags[name] ?? '';
    if (typeof value === 'string') return value;
    throw badField(where, `resource_tags.${name}`, value, 'is not a string');
  };
  return { app: read('app'), project: read('project') };
}

/** Reports mix hours and days; the beginning of a row determines its UTC day. */
function dayIn(where: string, written: string): string {
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?)?$/.exec(written) ?? [];
  if (!Number.isNaN(Date.parse(day))) return day;
  throw badField(where, 'line_item_usage_start_date', written, 'is not a valid time');
}

/** Undefined for an unknown unit: then only amounts are compared. */
function quantityOf(where: string, written: string, unit: string): bigint | undefined {
  const digits = digitsOfUnit.get(unit.toLowerCase());
  const quantity = readAmount(written, digits ?? 0);
  if (quantity === undefined)
    throw badField(where, 'line_item_usage_amount', written, 'is not a number');
  return digits === undefined ? undefined : quantity.amount;
}
