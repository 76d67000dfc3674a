import { expect, test } from 'vitest';
import { createRequestLog } from '../../src/calls/model/request-log.ts';
import type { AnsweredRequest } from '../../src/lib/observer.ts';
import { silentLog } from '../../src/lib/silent-log.ts';
import { startHourlyWork } from '../../src/observe/hours.ts';
import { createRefusalCounts } from '../../src/observe/refusal-counts.ts';
import type { Statement, Store } from '../../src/store/port/port.ts';
import { createTestClock } from '../support/test-clock.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-23T21:59:00Z');

/** The statements that a service writes while nothing is rejected. */
function start({ isUsedUp = () => false }: { readonly isUsedUp?: () => boolean } = {}) {
  const clock = createTestClock({ startMs });
  const written: (readonly Statement[])[] = [];
  const looks: unknown[] = [];
  const store: Pick<Store, 'write' | 'readForOperator'> = {
    async readForOperator({ map, values }) {
      looks.push(...values);
      return map(isUsedUp() ? [{ found: 1n }] : []);
    },
    async write(statements: readonly Statement[]) {
      written.push(statements);
      return statements.map(() => 1);
    },
  };
  const registry = { keyOfId: () => undefined, appOf: () => undefined };
  const refusals = createRefusalCounts(clock);
  const hours = startHourlyWork({ store, clock, log: silentLog, refusals, registry });
  return { clock, written, hours, refusals, looks };
}

test('writes once at the start of each hour, and nothing between', async () => {
  const { clock, written, hours } = start();
  await clock.advance(50_000);
  expect(written).toHaveLength(0);
  await clock.advance(hourMs);
  await clock.advance(hourMs);
  await clock.advance(hourMs);
  const marks = written.map(([mark]) => mark?.values);
  expect(marks).toEqual([
    ['2026-11-23', 22],
    ['2026-11-23', 23],
    ['2026-11-23', 24],
  ]);
  await hours.stop();
  expect(written).toHaveLength(3);
});

test('an hour whose start was missed has no record', async () => {
  const { clock, written } = start();
  await clock.advance(1_000);
  clock.set(startMs + 30 * 60_000);
  await clock.advance(20_000);
  expect(written.flat().map(({ sql }) => sql.trim().slice(0, 6))).toEqual([
    ...['delete', 'delete', 'delete'],
  ]);
});

test('checks every 10 s for budgets that are used up, and writes only the changes', async () => {
  let isUsedUp = false;
  const { clock, written, looks } = start({ isUsedUp: () => isUsedUp });
  await clock.advance(30_500);
  expect(looks).toEqual(Array(3).fill('2026-11-23'));
  expect(written).toEqual([]);
  isUsedUp = true;
  await clock.advance(10_000);
  expect(written).toMatchObject([
    [{ values: ['2026-11-23'] }, { values: ['2026-11-23', startMs + 40_000] }],
  ]);
});

test('counts no more than its capacity, and nothing without a key', () => {
  const { refusals } = start();
  const facts = createRequestLog();
  const request: AnsweredRequest = {
    ...{ requestId: 'req_1', method: 'POST', path: '/v1/chat', route: 'chat', status: 403 },
    ...{ tookMs: 1, remote: undefined, refusal: 'FORBIDDEN', facts },
  };
  const tell = (more: Partial<AnsweredRequest>) =>
    refusals.observer.requestAnswered?.({ ...request, ...more });
  tell({});
  tell({ status: 200, facts: { ...facts, app: 'search' } });
  tell({ facts: { ...facts, app: 'search', callId: 'call_1' } });
  expect(refusals.take(() => 'search')).toEqual([]);
  for (let n = 0; n < 10_100; n++) tell({ facts: { ...facts, app: `app-${n}` } });
  expect(refusals.take(() => undefined)).toHaveLength(10_000);
  tell({ facts: { ...facts, keyId: 'key_1' } });
  tell({ facts: { ...facts, app: 'search' } });
  expect(refusals.take(() => 'search')).toMatchObject([{ app: 'search', refused: 2 }]);
});
