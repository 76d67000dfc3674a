import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OperationResult } from '../../src/store/port/port.ts';
import { packOperation, unpackOperation, unpackResults } from '../../src/store/sqlite/client.ts';
import { packResults } from '../../src/store/sqlite/serve-requests.ts';
import { extend, operation, reserve, settle, settleByOperator } from './support/operations.ts';

// Messages between the threads of the SQLite store arrive unchanged, whatever the values are.

const text = fc.string({ maxLength: 12 });

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

test('an operation crosses the threads unchanged', () => {
  fc.assert(
    fc.property(operation, (sent) => {
      expect(unpackOperation(structuredClone(packOperation(sent)))).toEqual(sent);
    }),
  );
});

test('results cross the threads unchanged, each with its operation', () => {
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

test('a batch of usual calls returns only its commit', () => {
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
