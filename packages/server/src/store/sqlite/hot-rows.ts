import type { Hold, IdempotencyRow } from '../../books/rows.ts';
import { asBig, asInt, asOptionalText, asText } from '../columns.ts';
import { readState } from '../rows.ts';

// The rows that every call reads, by the places of their values: a row whose columns have names
// takes half as long again to make and to read.

/** Reads a row of `selectHolds`. */
export function readHotHold(row: readonly unknown[]): Hold {
  return {
    callId: asText(row[0], 'call_id'),
    app: asText(row[1], 'app'),
    day: asText(row[2], 'day'),
    month: asOptionalText(row[3], 'month'),
    userId: asOptionalText(row[4], 'user_id'),
    route: asText(row[5], 'route'),
    model: asText(row[6], 'model'),
    usageModel: asText(row[7], 'usage_model'),
    priceVersion: asOptionalText(row[8], 'price_version'),
    keyHash: asOptionalText(row[9], 'key_hash'),
    startedAt: asInt(row[10], 'started_at'),
    budgetAmount: asBig(row[11], 'budget_amount'),
    grantAmount: asBig(row[12], 'grant_amount'),
    topupAmount: asBig(row[13], 'topup_amount'),
    extensions: asInt(row[14], 'extensions'),
    owner: asText(row[15], 'owner'),
    expiresAt: asInt(row[16], 'expires_at'),
  };
}

/** Reads a row of `selectIdempotency`. */
export function readHotIdempotency(row: readonly unknown[]): IdempotencyRow {
  return {
    app: asText(row[0], 'app'),
    keyHash: asText(row[1], 'key_hash'),
    fingerprint: asText(row[2], 'fingerprint'),
    state: readState(row[3]),
    callId: asText(row[4], 'call_id'),
    owner: asText(row[5], 'owner'),
    expiresAt: asInt(row[6], 'expires_at'),
    badOutputs: asInt(row[7], 'bad_outputs'),
  };
}
