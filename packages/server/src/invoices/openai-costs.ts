import { isRecord } from '../lib/json-value.ts';
import { readAmount } from './amount.ts';
import { badField } from './invoice-error.ts';
import { optionalText, type Page, resultsOf } from './json-page.ts';
import type { Tally } from './tally.ts';

const usdDigits = 12;
const daySeconds = 86_400;

/**
 * Amounts are numbers or decimal texts in USD. Throws an InvoiceError for another grouping or a bad
 * field.
 */
export function readOpenaiCosts(where: string, { buckets }: Page, tally: Tally): void {
  for (const bucket of buckets) {
    const day = dayOfSeconds(where, bucket);
    tally.day(day);
    for (const row of resultsOf(where, bucket)) readRow(`${where}, ${day}`, day, row, tally);
  }
}

export function isOpenaiCosts(bucket: Readonly<Record<string, unknown>>): boolean {
  return 'start_time' in bucket;
}

/** Throws an InvoiceError unless it lies in one UTC day. */
export function dayOfSeconds(where: string, bucket: Readonly<Record<string, unknown>>): string {
  const [start, end] = [bucket.start_time, bucket.end_time].map(secondsIn);
  if (start === undefined || start % daySeconds !== 0) {
    throw badField(where, 'start_time', bucket.start_time, 'is not the start of a UTC day');
  }
  if (end === undefined || end <= start || end > start + daySeconds) {
    throw badField(
      where,
      'end_time',
      bucket.end_time,
      'does not end that day; request bucket_width=1d',
    );
  }
  return new Date(start * 1_000).toISOString().slice(0, 10);
}

function secondsIn(written: unknown): number | undefined {
  return typeof written === 'string' && /^\d{1,11}$/.test(written) ? Number(written) : undefined;
}

function readRow(
  where: string,
  day: string,
  row: Readonly<Record<string, unknown>>,
  tally: Tally,
): void {
  if (!('project_id' in row)) {
    throw badField(where, 'project_id', undefined, 'is missing; group the costs by project_id');
  }
  const { value, currency } = isRecord(row.amount) ? row.amount : {};
  if (typeof currency !== 'string' || currency.toUpperCase() !== 'USD') {
    throw badField(where, 'amount.currency', currency, 'is not usd');
  }
  // Numbers are still the text of the source.
  const read = typeof value === 'string' ? readAmount(value, usdDigits) : undefined;
  if (read === undefined) throw badField(where, 'amount.value', value, 'is not an amount in USD');
  if (read.isRounded) tally.round();
  const { amount, tolerance } = read;
  const { model, tokenType } = itemOf(optionalText(where, row, 'line_item') ?? '');
  tally.add({
    day,
    project: optionalText(where, row, 'project_id') ?? '',
    app: '',
    kind: 'tokens',
    model,
    tokenType,
    quantity: tokensIn(row.quantity),
    amount,
    tolerance,
  });
}

/** Its format is undocumented: unless it is `MODEL, KIND`, only the project is compared. */
function itemOf(lineItem: string) {
  const [, model = '', kind = lineItem] = /^([a-zA-Z0-9][\w.:/-]*), (.+)$/.exec(lineItem) ?? [];
  return { model, tokenType: kind };
}

function tokensIn(quantity: unknown): bigint | undefined {
  return typeof quantity === 'string' ? readAmount(quantity, 0)?.amount : undefined;
}
