import { expect, test } from 'vitest';
import { createOwnCounts } from '../../src/compose/parts/process-counts.ts';
import {
  createConcurrencyLimiter,
  type RequestPermit,
} from '../../src/ingress/limits/concurrency.ts';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { createTestClock } from '../support/test-clock.ts';

/** How many calls of an app with two calls a second are admitted next to this many eager apps. */
function keptBeside(eager: number, perSecond: number): number {
  let nowMs = 0;
  const concurrency = createConcurrencyLimiter({
    limits: { inFlight: 100, bodyBytesInFlight: 1_000_000 },
    clock: { ...createTestClock(), monotonic: () => nowMs },
    detachedCalls: { count: () => 0, cutSmallest: () => false },
    registry: { enabledApps: () => eager + 1 },
    counts: createOwnCounts(),
  });
  const callMs = 8_000;
  const running: { readonly endsAtMs: number; readonly place: RequestPermit }[] = [];
  const begin = (app: string): boolean => {
    const place = concurrency.isFull(app, 100) ? undefined : concurrency.acquire(app, 100);
    if (place !== undefined) running.push({ endsAtMs: nowMs + callMs, place });
    return place !== undefined;
  };
  let asked = 0;
  let kept = 0;
  for (; nowMs < 60_000; nowMs++) {
    while ((running[0]?.endsAtMs ?? nowMs + 1) <= nowMs) running.shift()?.place.release();
    for (let app = 0; app < eager; app++) {
      if (nowMs % (1_000 / perSecond) === 0) begin(`eager-${app}`);
    }
    // The others were there first, for 20 s.
    if (nowMs < 20_000 || nowMs % 500 !== 250) continue;
    asked += 1;
    if (begin('third')) kept += 1;
  }
  return kept / asked;
}

test.each([
  [1, 1_000],
  [2, 50],
  [2, 200],
  [2, 1_000],
  [5, 200],
] as const)(
  'an app below its equal part keeps its calls next to %i others with %i a second each',
  (eager, perSecond) => {
    const kept = keptBeside(eager, perSecond);
    expect(kept).toBeGreaterThanOrEqual(0.9);
  },
);

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { inFlight: 30 }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
apps:
  - { name: search, dailyBudgetUsd: "500" }
  - { name: batch, dailyBudgetUsd: "500" }
  - { name: tutor, dailyBudgetUsd: "500" }
`;

test(
  'two eager apps leave a third its calls, over the whole service',
  onStack(
    async (stack) => {
      const keys = { search: '', batch: '', tutor: '' };
      for (const app of ['search', 'batch', 'tutor'] as const) keys[app] = await stack.key(app);
      const statuses: Record<string, number[]> = { search: [], batch: [], tutor: [] };
      const begin = (app: 'search' | 'batch' | 'tutor') => {
        const headers = { 'x-api-key': keys[app], 'content-type': 'application/json' };
        const body = JSON.stringify(chatOf('sim-slow'));
        const answer = stack.fetch('http://gateway.test/v1/chat', {
          ...{ method: 'POST', headers, body },
        });
        void answer.then(({ status }) => statuses[app]?.push(status));
      };
      for (let tenth = 0; tenth < 150; tenth++) {
        for (let each = 0; each < 5; each++) {
          begin('search');
          begin('batch');
        }
        // Two calls a second, of which three or four run at a time.
        if (tenth >= 20 && tenth % 5 === 0) begin('tutor');
        await stack.clock.advance(100);
      }
      await stack.clock.advance(10_000);
      const ok = (app: string) => statuses[app]?.filter((status) => status === 200).length ?? 0;
      expect(statuses.tutor).toHaveLength(26);
      expect(ok('tutor')).toBeGreaterThanOrEqual(24);
      // The two apps shared the rest, in parts as equal as whole permits allow.
      const both = [ok('search'), ok('batch')];
      expect(Math.min(...both)).toBeGreaterThan(Math.max(...both) * 0.75);
      expect(both[0]).toBeGreaterThan(60);
      expect(stack.service.concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
    },
    { yaml },
  ),
);
