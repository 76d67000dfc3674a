import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../src/books/decide.ts';
import type { Outcome, Reserve } from '../../src/books/operations.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { noonMs, operationsOf } from '../conformance/operations.ts';
import { createStoreSubject, type Subject } from '../conformance/subject.ts';
import { createMemorySubject } from '../ledger/memory-subject.ts';

const keptMs = 120_000;
const keys = Array.from({ length: 4 }, (_, slot) => `key-${slot}`);

/** The events of equal requests without a key, in the order in which the ledger receives them. */
type Step =
  | { readonly kind: 'ask'; readonly isRetry: boolean; readonly mayWait: boolean }
  | { readonly kind: 'settle'; readonly ago: number; readonly isLeft: boolean }
  | { readonly kind: 'pause'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('ask' as const),
    isRetry: fc.boolean(),
    mayWait: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('settle' as const), ago: fc.nat(3), isLeft: fc.boolean() }),
  fc.record({ kind: fc.constant('pause' as const), ms: fc.constantFrom(1, 60_000, 119_999) }),
);

/** The rule once more, from the issue and not from the core: which request gets which result. */
function createOracle() {
  const running: string[] = [];
  let kept: { readonly callId: string; readonly at: number }[] = [];
  return {
    ask(callId: string, now: number, { isRetry, mayWait }: Extract<Step, { kind: 'ask' }>) {
      kept = kept.filter(({ at }) => at + keptMs > now);
      const [oldest, ...others] = kept.toSorted((a, b) => (a.callId < b.callId ? -1 : 1));
      if (isRetry && oldest !== undefined) {
        kept = others;
        return 'collected';
      }
      if (isRetry && mayWait && running.length > 0) return `attach ${running.toSorted()[0]}`;
      if (running.length + kept.length === keys.length) return 'no key';
      running.push(callId);
      return 'reserved';
    },
    settle(callId: string, now: number, isLeft: boolean) {
      running.splice(running.indexOf(callId), 1);
      if (isLeft) kept.push({ callId, at: now });
    },
    running,
  };
}

/**
 * The claims of a run. Each result is claimed at most once, by the request that the oracle names.
 */
function claims(open: () => Promise<Subject>) {
  return fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
    const subject = await open();
    await subject.setCap({ app: 'search', cap: undefined, today: '2026-11-21' });
    const oracle = createOracle();
    const keyOf = new Map<string, string>();
    const claimed: string[] = [];
    let now = noonMs;
    let calls = 0;
    const operations = () =>
      operationsOf({ app: 'search', userId: undefined, granted: undefined, now });
    for (const each of steps) {
      if (each.kind === 'pause') now += each.ms;
      else if (each.kind === 'settle') await settle(each);
      else await ask(each);
    }
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(await subject.breaches()).toEqual([]);

    async function ask(wish: Extract<Step, { kind: 'ask' }>) {
      calls += 1;
      const callId = `call-${String(calls).padStart(4, '0')}`;
      const expected = oracle.ask(callId, now, wish);
      let came = 'no key';
      for (const key of keys) {
        const outcome = await commit(reserve(callId, key, wish));
        came = wordOf(outcome);
        if (outcome.kind === 'reserved') keyOf.set(callId, key);
        if (outcome.kind === 'adoptable') {
          came = wordOf(await collect(outcome, callId));
          claimed.push(outcome.callId);
        }
        if (outcome.kind !== 'taken') break;
        came = 'no key';
      }
      expect(came).toBe(expected);
    }

    function collect(left: { callId: string; keyHash: string }, claimedBy: string) {
      const { callId, keyHash } = left;
      const { app, day, userId, month } = operations().facts(callId, keyHash);
      const ids = { callId, app, day, userId, month, keyHash, claimedBy };
      return commit({ kind: 'collect', ...ids, now });
    }

    function reserve(
      callId: string,
      key: string,
      { isRetry, mayWait }: (typeof steps)[0] & { kind: 'ask' },
    ): Reserve {
      const plain = operations().reserve(callId, 3n, { key });
      const adoption = { earlier: isRetry ? keys : [], mayWait };
      const idempotency = { keyHash: key, fingerprint: '', expiresAt: now + keptMs, adoption };
      return { ...plain, idempotency };
    }

    async function settle({ ago, isLeft }: Extract<Step, { kind: 'settle' }>) {
      const callId = oracle.running.at(-1 - ago);
      const key = callId && keyOf.get(callId);
      if (callId === undefined || key === undefined) return;
      const outcome = isLeft ? 'answered' : 'forgotten';
      const settlement = operations().settle(callId, 2n, { key, outcome, now });
      const startedAt = started.get(callId) ?? now;
      const facts = { ...settlement.facts, startedAt };
      await commit({ ...settlement, facts, answerExpiresAt: now + keptMs });
      oracle.settle(callId, now, isLeft);
    }

    async function commit(operation: Parameters<Subject['commit']>[0][number]): Promise<Outcome> {
      if (operation.kind === 'reserve')
        started.set(operation.facts.callId, operation.facts.startedAt);
      const [result] = await subject.commit([operation]);
      if (result?.ok !== true) throw new Error(`refused: ${JSON.stringify(result)}`);
      return result.outcome;
    }
  });
}

const started = new Map<string, number>();

function wordOf(outcome: Outcome): string {
  return 'callId' in outcome ? `${outcome.kind} ${outcome.callId}` : outcome.kind;
}

test('a result is claimed at most once, and only by a retry: in the core', async () => {
  await fc.assert(
    claims(async () => createMemorySubject(decide)),
    { numRuns: 400 },
  );
});

test('and on SQLite', async () => {
  const store = await openDirectStore(':memory:');
  await fc.assert(
    claims(() => createStoreSubject(store, ['search'])),
    { numRuns: 60 },
  );
  await store.close();
});
