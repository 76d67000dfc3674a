import assert from 'node:assert';
import type {
  Basis,
  BudgetDay,
  CallFacts,
  CallRecord,
  Hold,
  IdempotencyRow,
  Tokens,
  WalletEntry,
  WalletMonth,
  WalletTopup,
} from '../books/rows.ts';
import { big, int, optionalBig, optionalText, text } from './columns.ts';
import type { SqlRow } from './port.ts';

/** Reads a row of `budget_day`. */
export function readBudgetDay(row: SqlRow): BudgetDay {
  return {
    app: text(row, 'app'),
    day: text(row, 'day'),
    cap: optionalBig(row, 'cap'),
    admittedCap: optionalBig(row, 'admitted_cap'),
    spent: big(row, 'spent'),
    held: big(row, 'held'),
    estimated: big(row, 'estimated'),
    overrun: big(row, 'overrun'),
  };
}

/** Reads a row of `wallet_month`. */
export function readWalletMonth(row: SqlRow): WalletMonth {
  return {
    app: text(row, 'app'),
    userId: text(row, 'user_id'),
    month: text(row, 'month'),
    granted: big(row, 'granted'),
    picoUsdPerCredit: big(row, 'pico_usd_per_credit'),
    spentGrant: big(row, 'spent_grant'),
    spentTopup: big(row, 'spent_topup'),
    heldGrant: big(row, 'held_grant'),
  };
}

/** Reads a row of `wallet_topup`. */
export function readWalletTopup(row: SqlRow): WalletTopup {
  return {
    app: text(row, 'app'),
    userId: text(row, 'user_id'),
    added: big(row, 'added'),
    spent: big(row, 'spent'),
    held: big(row, 'held'),
  };
}

/** Reads a row of `wallet_entry`. */
export function readWalletEntry(row: SqlRow): WalletEntry {
  return {
    app: text(row, 'app'),
    userId: text(row, 'user_id'),
    reference: text(row, 'reference'),
    amount: big(row, 'amount'),
    at: int(row, 'at'),
  };
}

function readFacts(row: SqlRow): CallFacts {
  return {
    callId: text(row, 'call_id'),
    app: text(row, 'app'),
    day: text(row, 'day'),
    month: optionalText(row, 'month'),
    userId: optionalText(row, 'user_id'),
    route: text(row, 'route'),
    model: text(row, 'model'),
    usageModel: text(row, 'usage_model'),
    priceVersion: optionalText(row, 'price_version'),
    keyHash: optionalText(row, 'key_hash'),
    startedAt: int(row, 'started_at'),
  };
}

/** Reads a row of `hold`. */
export function readHold(row: SqlRow): Hold {
  return {
    ...readFacts(row),
    budgetAmount: big(row, 'budget_amount'),
    grantAmount: big(row, 'grant_amount'),
    topupAmount: big(row, 'topup_amount'),
    extensions: int(row, 'extensions'),
    owner: text(row, 'owner'),
    expiresAt: int(row, 'expires_at'),
  };
}

/** Reads the token counts of a row of `call` or `usage_day`. */
export function readTokens(row: SqlRow): Tokens {
  return {
    inputTokens: int(row, 'input_tokens'),
    cachedInputTokens: int(row, 'cached_input_tokens'),
    cacheWriteInputTokens: int(row, 'cache_write_input_tokens'),
    outputTokens: int(row, 'output_tokens'),
    reasoningTokens: int(row, 'reasoning_tokens'),
  };
}

/** Reads a row of `call`. */
export function readCall(row: SqlRow): CallRecord {
  return {
    ...readFacts(row),
    code: text(row, 'code'),
    tokens: readTokens(row),
    cost: big(row, 'cost'),
    estimated: big(row, 'estimated'),
    basis: readBasis(text(row, 'basis')),
    attempts: text(row, 'attempts'),
    upstreamId: optionalText(row, 'upstream_id'),
    endedAt: int(row, 'ended_at'),
    walletGrant: big(row, 'wallet_grant'),
    walletTopup: big(row, 'wallet_topup'),
    held: big(row, 'held'),
  };
}

const bases: readonly Basis[] = [
  'exact',
  'estimated',
  'mixed',
  'free',
  'expired',
  'orphan',
  'corrected',
];

function readBasis(value: string): Basis {
  const basis = bases.find((known) => known === value);
  assert(basis !== undefined, `a call has the unknown basis ${value}`);
  return basis;
}

const states: readonly IdempotencyRow['state'][] = ['running', 'answered', 'unstored', 'failed'];

/** Where a key stands, as its row says it. */
export function readState(value: unknown): IdempotencyRow['state'] {
  const state = states.find((known) => known === value);
  assert(state !== undefined, `an idempotency key has the unknown state ${String(value)}`);
  return state;
}

/** Reads a row of `idempotency`. */
export function readIdempotency(row: SqlRow): IdempotencyRow {
  return {
    app: text(row, 'app'),
    keyHash: text(row, 'key_hash'),
    fingerprint: text(row, 'fingerprint'),
    state: readState(row.state),
    callId: text(row, 'call_id'),
    owner: text(row, 'owner'),
    expiresAt: int(row, 'expires_at'),
    badOutputs: int(row, 'bad_outputs'),
  };
}
