import { afterEach, beforeEach, expect, test } from 'vitest';
import { meetChat } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "2", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
`;
const december = Date.UTC(2026, 11, 3);
/** Nothing was retained; with the deprecated name. */
const kept = { retainedBecause: null, keptFor: null };

let stack: Stack;
let desk: Desk;
beforeEach(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
});
afterEach(async () => {
  expect(await stack.audit()).toMatchObject({ clean: true });
  await desk.close();
  await stack.close();
});

test('a past month is pruned next to the service, and its usage stays', async () => {
  for (const app of ['search', 'tutor', 'search']) expect(await statusOf(app)).toBe(200);
  stack.clock.set(december);
  expect(await statusOf('search')).toBe(200);
  const show = ['usage', 'search', '--day', '2026-11-21'];
  const before = await desk.record(show);
  expect(before).toMatchObject({ totals: { calls: 2 } });
  const pruned = await desk.json(['days', 'prune', '--before', '2026-12-01', '--yes']);
  expect(pruned).toEqual({ prunedBefore: '2026-12-01', calls: 3, ...kept });
  expect(await desk.record(show)).toEqual(before);
  const audited = await desk.json(['audit']);
  expect(audited).toMatchObject({ clean: true, prunedBefore: '2026-12-01' });
  const { out } = await desk.run(['audit', '--config', desk.file]);
  expect(out.join('\n')).toContain('Calls before 2026-12-01 were pruned');
  expect(await statusOf('tutor')).toBe(200);
  const lines = await stack.store.read({
    sql: "select actor, subject, before_value, after_value from audit_log where action = 'day.prune'",
    values: [],
    map: (rows) => rows.map((row) => ({ ...row })),
  });
  expect(lines).toEqual([
    {
      actor: expect.stringMatching(/^cli:/),
      ...{ subject: 'calls', before_value: null, after_value: '2026-12-01' },
    },
  ]);
});

async function statusOf(app: string): Promise<number> {
  const user = app === 'tutor' ? { userId: 'ada' } : {};
  return (await meetChat(stack, app, 'sim-echo', user)).status;
}

test('a prune that finds nothing leaves no trace', async () => {
  expect(await statusOf('search')).toBe(200);
  const prune = ['days', 'prune', '--before', '2026-11-01', '--yes'];
  expect(await desk.json(prune)).toEqual({ prunedBefore: null, calls: 0, ...kept });
  const { out } = await desk.run([...prune, '--config', desk.file]);
  expect(out).toEqual(['No records to delete.']);
  expect(await desk.json(['audit'])).toEqual({ clean: true, checks: expect.any(Array) });
});

test('a store that was never pruned reports no prune', async () => {
  expect(await desk.json(['audit'])).toEqual({ clean: true, checks: expect.any(Array) });
});

test.each([
  [['--before', '2026-11-22'], 1, 'Use 2026-11-01 or an earlier day'],
  [['--before', 'soon'], 2, '--before must be a UTC day such as'],
  [[], 2, '--before'],
])('days prune %j is rejected', async (words, code, line) => {
  const result = await desk.run(['days', 'prune', ...words, '--yes', '--config', desk.file]);
  expect(result).toMatchObject({ code, out: [] });
  expect(result.errors.join('\n')).toContain(line);
});
