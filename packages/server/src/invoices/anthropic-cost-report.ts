import { readAmount } from './amount.ts';
import { badField } from './invoice-error.ts';
import { optionalText, type Page, resultsOf } from './json-page.ts';
import type { Tally } from './tally.ts';

/** For calls without a workspace, which the report writes as null. */
const defaultWorkspace = 'default';

/** Cents with ten decimals are pico-USD. */
const centDigits = 10;

/**
 * Amounts are decimal texts in cents. Throws an InvoiceError for another grouping or a bad field.
 */
export function readCostReport(where: string, { buckets }: Page, tally: Tally): void {
  for (const bucket of buckets) {
    const day = dayOf(where, bucket);
    tally.day(day);
    for (const row of resultsOf(where, bucket)) readRow(`${where}, ${day}`, day, row, tally);
  }
}

export function isCostReport(bucket: Readonly<Record<string, unknown>>): boolean {
  return 'starting_at' in bucket;
}

/** Throws an InvoiceError unless it lies in one UTC day. */
export function dayOf(where: string, bucket: Readonly<Record<string, unknown>>): string {
  const start = bucket.starting_at;
  const match =
    typeof start === 'string' ? /^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?Z$/.exec(start) : null;
  const [, day = ''] = match ?? [];
  const begins = Date.parse(day);
  if (Number.isNaN(begins))
    throw badField(where, 'starting_at', start, 'is not the start of a UTC day');
  const end = bucket.ending_at;
  const ends = typeof end === 'string' ? Date.parse(end) : Number.NaN;
  if (!(ends > begins && ends <= begins + 86_400_000)) {
    throw badField(where, 'ending_at', end, 'does not end that day; request bucket_width=1d');
  }
  return day;
}

function readRow(
  where: string,
  day: string,
  row: Readonly<Record<string, unknown>>,
  tally: Tally,
): void {
  const currency = optionalText(where, row, 'currency');
  if (currency !== 'USD') throw badField(where, 'currency', currency, 'is not USD');
  for (const field of ['workspace_id', 'description']) {
    if (row[field] !== undefined) continue;
    throw badField(
      where,
      field,
      undefined,
      'is missing; group the report by workspace_id and description',
    );
  }
  const written = row.amount;
  const read = typeof written === 'string' ? readAmount(written, centDigits) : undefined;
  if (read === undefined) throw badField(where, 'amount', written, 'is not an amount in cents');
  if (read.isRounded) tally.round();
  const { amount } = read;
  tally.add({
    day,
    project: optionalText(where, row, 'workspace_id') ?? defaultWorkspace,
    app: '',
    kind: optionalText(where, row, 'cost_type') ?? 'tokens',
    model: optionalText(where, row, 'model') ?? '',
    tokenType: optionalText(where, row, 'token_type') ?? '',
    quantity: undefined,
    amount,
    tolerance: 0n,
  });
}
