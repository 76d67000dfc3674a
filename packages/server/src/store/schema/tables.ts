import {
  type AnswerRow,
  type Attempt,
  attemptBases,
  type BudgetDay,
  bases,
  type CallEnd,
  type CallFacts,
  type CallRecord,
  type Counts,
  type Hold,
  type IdempotencyRow,
  keyStates,
  type ResultRow,
  type Tokens,
  type UsageDay,
  type WalletEntry,
  type WalletMonth,
  type WalletTopup,
} from '../../books/rows.ts';
import type { Description } from './description.ts';
import { table } from './table.ts';

// Describes every row of the ledger once. Statements, bound values, readers and packing between
// threads derive from this at startup. Another fact of a call needs one line here, one in its type,
// and a migration.

export const budgetDays = table<BudgetDay>('budget_day', ['app', 'day'], (row, as) => ({
  app: as.text(row.app),
  day: as.text(row.day),
  cap: as.optionalBig(row.cap),
  admittedCap: as.optionalBig(row.admittedCap),
  spent: as.big(row.spent),
  held: as.big(row.held),
  estimated: as.big(row.estimated),
  overrun: as.big(row.overrun),
}));

/** Changed by operations; only the operator changes the limit. */
export const budgetChanges = ['admittedCap', 'spent', 'held', 'estimated', 'overrun'] as const;

export const walletMonths = table<WalletMonth>(
  'wallet_month',
  ['app', 'userId', 'month'],
  (row, as) => ({
    app: as.text(row.app),
    userId: as.text(row.userId),
    month: as.text(row.month),
    granted: as.big(row.granted),
    picoUsdPerCredit: as.big(row.picoUsdPerCredit),
    spentGrant: as.big(row.spentGrant),
    spentTopup: as.big(row.spentTopup),
    heldGrant: as.big(row.heldGrant),
  }),
);

export const walletChanges = ['spentGrant', 'spentTopup', 'heldGrant'] as const;

export const walletTopups = table<WalletTopup>('wallet_topup', ['app', 'userId'], (row, as) => ({
  app: as.text(row.app),
  userId: as.text(row.userId),
  added: as.big(row.added),
  spent: as.big(row.spent),
  held: as.big(row.held),
}));

export const topupChanges = ['added', 'spent', 'held'] as const;

export const walletEntries = table<WalletEntry>(
  'wallet_entry',
  ['app', 'userId', 'reference'],
  (row, as) => ({
    app: as.text(row.app),
    userId: as.text(row.userId),
    reference: as.text(row.reference),
    amount: as.big(row.amount),
    at: as.int(row.at),
  }),
);

export const callFacts: Description<CallFacts> = (row, as) => ({
  callId: as.text(row.callId),
  app: as.text(row.app),
  day: as.text(row.day),
  month: as.optionalText(row.month),
  userId: as.optionalText(row.userId),
  route: as.text(row.route),
  model: as.text(row.model),
  usageModel: as.text(row.usageModel),
  priceVersion: as.optionalText(row.priceVersion),
  keyHash: as.optionalText(row.keyHash),
  keyId: as.optionalText(row.keyId),
  remote: as.optionalText(row.remote),
  trace: as.optionalText(row.trace),
  platform: as.optionalText(row.platform),
  startedAt: as.int(row.startedAt),
});

export const holds = table<Hold>('hold', ['callId'], (row, as) => ({
  ...callFacts(row, as),
  budgetAmount: as.big(row.budgetAmount),
  grantAmount: as.big(row.grantAmount),
  topupAmount: as.big(row.topupAmount),
  extensions: as.int(row.extensions),
  instanceId: as.text(row.instanceId),
  expiresAt: as.int(row.expiresAt),
  scopes: as.optionalText(row.scopes),
}));

export const holdChanges = ['budgetAmount', 'extensions', 'scopes'] as const;

export const counts: Description<Counts> = (row, as) => ({
  inputTokens: as.int(row.inputTokens),
  cachedInputTokens: as.int(row.cachedInputTokens),
  cacheWriteInputTokens: as.int(row.cacheWriteInputTokens),
  outputTokens: as.int(row.outputTokens),
  reasoningTokens: as.int(row.reasoningTokens),
});

export const tokens: Description<Tokens> = (row, as) => ({
  ...counts(row, as),
  cacheWrite1hInputTokens: as.optionalInt(row.cacheWrite1hInputTokens),
});

export const callEnd: Description<CallEnd> = (row, as) => ({
  code: as.text(row.code),
  tokens: tokens(row.tokens, as),
  cost: as.big(row.cost),
  estimated: as.big(row.estimated),
  basis: as.oneOf(row.basis, bases),
  estimateReason: as.optionalText(row.estimateReason),
  attempts: as.text(row.attempts),
  upstreamId: as.optionalText(row.upstreamId),
  endedAt: as.int(row.endedAt),
  firstMs: as.optionalInt(row.firstMs),
});

const callRest: Description<Omit<CallRecord, keyof CallFacts | keyof CallEnd>> = (row, as) => ({
  walletGrant: as.big(row.walletGrant),
  walletTopup: as.big(row.walletTopup),
  held: as.big(row.held),
  heldAtEnd: as.optionalBig(row.heldAtEnd),
  walletHeld: as.optionalBig(row.walletHeld),
  instanceId: as.optionalText(row.instanceId),
  scopes: as.optionalText(row.scopes),
});

export const calls = table<CallRecord>('call', ['callId'], (row, as) => ({
  ...callFacts(row, as),
  ...callEnd(row, as),
  ...callRest(row, as),
}));

export const attempts = table<Attempt>('attempt', ['callId', 'n'], (row, as) => ({
  callId: as.text(row.callId),
  n: as.int(row.n),
  model: as.text(row.model),
  usageModel: as.text(row.usageModel),
  priceVersion: as.optionalText(row.priceVersion),
  platform: as.optionalText(row.platform),
  startedAt: as.int(row.startedAt),
  tookMs: as.int(row.tookMs),
  outcome: as.text(row.outcome),
  status: as.optionalInt(row.status),
  tokens: tokens(row.tokens, as),
  toolUses: as.optionalText(row.toolUses),
  tokenParts: as.optionalText(row.tokenParts),
  isCounted: as.flag(row.isCounted),
  cost: as.big(row.cost),
  basis: as.oneOf(row.basis, attemptBases),
  estimateReason: as.optionalText(row.estimateReason),
  upstreamId: as.optionalText(row.upstreamId),
}));

export const attemptChanges = ['priceVersion', 'cost', 'basis', 'estimateReason'] as const;

export const usageDays = table<UsageDay>('usage_day', ['app', 'day', 'model'], (row, as) => ({
  app: as.text(row.app),
  day: as.text(row.day),
  model: as.text(row.model),
  calls: as.int(row.calls),
  errors: as.int(row.errors),
  ...counts(row, as),
  cost: as.big(row.cost),
  estimated: as.big(row.estimated),
  unpricedCalls: as.int(row.unpricedCalls),
}));

export const idempotencyKeys = table<IdempotencyRow>(
  'idempotency',
  ['app', 'keyHash'],
  (row, as) => ({
    app: as.text(row.app),
    keyHash: as.text(row.keyHash),
    fingerprint: as.text(row.fingerprint),
    state: as.oneOf(row.state, keyStates),
    callId: as.text(row.callId),
    instanceId: as.text(row.instanceId),
    expiresAt: as.int(row.expiresAt),
    badOutputs: as.int(row.badOutputs),
    walletPaid: as.big(row.walletPaid),
  }),
);

export const keyChanges = [
  ...(['fingerprint', 'state', 'callId', 'instanceId', 'expiresAt', 'badOutputs'] as const),
  'walletPaid',
] as const;

export const answers = table<AnswerRow>('answer', ['callId'], (row, as) => ({
  callId: as.text(row.callId),
  app: as.text(row.app),
  keyHash: as.text(row.keyHash),
  status: as.int(row.status),
  body: as.text(row.body),
  at: as.int(row.at),
}));

export const results = table<ResultRow>('result', ['callId'], (row, as) => ({
  callId: as.text(row.callId),
  app: as.text(row.app),
  keyHash: as.text(row.keyHash),
  dialect: as.text(row.dialect),
  encoderVersion: as.int(row.encoderVersion),
  body: as.text(row.body),
  at: as.int(row.at),
}));
