import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/books/operations.ts';
import type { OperationResult } from '../../src/store/port.ts';
import { packOperation, unpackOperation } from '../../src/store/sqlite/pack-operation.ts';
import { packResults, unpackResults } from '../../src/store/sqlite/pack-results.ts';

// What one thread of the SQLite store sends, the other gets: whatever the values are.

const text = fc.string({ maxLength: 12 });
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

const reserve = fc.record({
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
  idempotency: fc.option(fc.record({ keyHash: text, fingerprint: text, expiresAt: count }), {
    nil: undefined,
  }),
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

const settle = fc.record({
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

const settleByOperator = fc.tuple(settle, line).map(([of, told]) => ({ ...of, line: told }));

const settleByOther = fc
  .tuple(
    settle,
    fc.record({ usageModel: text, priceVersion: optionalText, platform: optionalText }),
  )
  .map(([of, answeredBy]) => ({ ...of, answeredBy }));

const extend = fc.record({
  kind: fc.constant('extend' as const),
  callId: text,
  app: text,
  day: text,
  extension: count,
  amount: money,
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  reserve,
  settle,
  settleByOperator,
  settleByOther,
  extend,
);

const result: fc.Arbitrary<OperationResult> = fc.oneof(
  fc.record({
    ok: fc.constant(false as const),
    kind: fc.constantFrom('invalid', 'conflict', 'unavailable', 'indeterminate'),
    error: text,
  }),
  fc.record({
    ok: fc.constant(true as const),
    outcome: fc.oneof(
      fc.constant({ kind: 'mismatch' as const }),
      fc.record({ kind: fc.constant('attach' as const), callId: text }),
      fc.record({
        kind: fc.constant('settled' as const),
        isOrphan: fc.boolean(),
        badOutputs: fc.nat({ max: 2 }),
        takenOverBy: fc.option(text, { nil: undefined }),
      }),
    ),
  }),
);

test('an operation crosses the threads as it is', () => {
  fc.assert(
    fc.property(operation, (sent) => {
      expect(unpackOperation(structuredClone(packOperation(sent)))).toEqual(sent);
    }),
  );
});

test('results cross the threads as they are, each with its operation', () => {
  const reserved: OperationResult = { ok: true, outcome: { kind: 'reserved' } };
  const usual: OperationResult = {
    ok: true,
    outcome: { kind: 'settled', isOrphan: false, badOutputs: 0, takenOverBy: undefined },
  };
  const pair = fc.oneof(
    fc.tuple(reserve, fc.oneof(fc.constant(reserved), result)),
    fc.tuple(settle, fc.oneof(fc.constant(usual), result)),
    fc.tuple(settleByOperator, fc.oneof(fc.constant(usual), result)),
    fc.tuple(extend, result),
  );
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const batch = pairs.map(([asked]) => asked);
      const results = pairs.map(([, answered]) => answered);
      expect(unpackResults(batch, structuredClone(packResults(batch, results)))).toEqual(results);
    }),
  );
});

test('a batch of calls as usual sends nothing back but that it was committed', () => {
  const results: readonly OperationResult[] = [
    { ok: true, outcome: { kind: 'reserved' } },
    {
      ok: true,
      outcome: { kind: 'settled', isOrphan: false, badOutputs: 0, takenOverBy: undefined },
    },
  ];
  const batch = fc.sample(fc.tuple(reserve, settle), 1).flat();
  expect(packResults(batch, results)).toEqual([]);
});
