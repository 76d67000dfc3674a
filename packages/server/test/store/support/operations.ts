import fc from 'fast-check';
import type { Operation } from '../../../src/books/operations.ts';

// Operations of every kind that is sent to the store's thread, whatever their values are.

const asciiText = fc.string({ maxLength: 12 });
const text = fc.oneof(asciiText, fc.string({ unit: 'binary', maxLength: 12 }));
const optionalText = fc.option(text, { nil: undefined });
const count = fc.nat();
const money = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });

const facts = fc.record({
  callId: text,
  app: text,
  day: text,
  month: optionalText,
  userId: optionalText,
  route: text,
  model: text,
  usageModel: text,
  priceVersion: optionalText,
  keyHash: optionalText,
  keyId: optionalText,
  remote: optionalText,
  trace: optionalText,
  platform: optionalText,
  startedAt: count,
});

const adoption = fc.record({ earlier: fc.array(text), mayWait: fc.boolean() });

/** Reservations, with and without wallets, more budgets and keys. */
export const reserve = fc.record({
  kind: fc.constant('reserve' as const),
  facts,
  amount: money,
  wallet: fc.option(fc.record({ granted: money, picoUsdPerCredit: money }), { nil: undefined }),
  scopes: fc.array(
    fc.record({
      ...{ scope: text, period: text, cap: money },
      mode: fc.constantFrom('enforce', 'shadow'),
    }),
  ),
  budgetsRevision: money,
  isSpent: fc.constantFrom(true as const, undefined),
  idempotency: fc.option(
    fc.record(
      { keyHash: text, fingerprint: text, expiresAt: count, adoption },
      { requiredKeys: ['keyHash', 'fingerprint', 'expiresAt'] },
    ),
    {
      nil: undefined,
    },
  ),
  instanceId: text,
  expiresAt: count,
  now: count,
});

const tokens = fc.record({
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
});

/** Settlements of the usual form. */
export const settle = fc.record({
  kind: fc.constant('settle' as const),
  facts,
  end: fc.record({
    code: text,
    tokens,
    cost: money,
    estimated: money,
    basis: fc.constantFrom('exact', 'estimated', 'mixed', 'free'),
    attempts: text,
    upstreamId: optionalText,
    endedAt: count,
  }),
  walletCost: money,
  outcome: fc.constantFrom('answered', 'unstored', 'failed', 'forgotten'),
  result: fc.option(fc.record({ dialect: text, encoderVersion: count, body: text }), {
    nil: undefined,
  }),
  answerExpiresAt: count,
});

const line = fc.record({ id: text, at: count, actor: text, action: text, subject: text });

/** Settlements by an operator. */
export const settleByOperator = fc
  .tuple(settle, line)
  .map(([of, auditLine]) => ({ ...of, line: auditLine }));

const settleByOther = fc
  .tuple(
    settle,
    fc.record({ usageModel: text, priceVersion: optionalText, platform: optionalText }),
  )
  .map(([of, answeredBy]) => ({ ...of, answeredBy }));

/** More maximum costs. */
export const extend = fc.record({
  kind: fc.constant('extend' as const),
  callId: text,
  app: text,
  day: text,
  extension: count,
  amount: money,
});

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  reserve,
  settle,
  settleByOperator,
  settleByOther,
  extend,
);
