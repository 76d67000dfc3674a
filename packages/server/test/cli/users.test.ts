import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { lockSqliteStore } from '../../src/store/sqlite/file/lock.ts';
import { meetChat } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import { type Desk, openDesk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: tutor, dailyBudgetUsd: "2", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
`;

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

const erase = ['users', 'erase', 'tutor', 'ada'];
const run = (words: readonly string[]) => desk.run([...words, '--config', desk.file]);

test('a name is erased on request, by the service at the end of the month', async () => {
  expect((await meetChat(stack, 'tutor', 'sim-echo', { userId: 'ada' })).status).toBe(200);
  const unasked = await run(erase);
  expect(unasked).toMatchObject({ code: 2, out: [] });
  expect(unasked.errors[0]).toMatch(
    /^Permanently replaces the name ada of tutor with u_\w{24} in all/,
  );
  expect(await desk.json([...erase, '--dry-run'])).toMatchObject({ calls: null });
  const document = await desk.json([...erase, '--yes', '--reason', 'request 17']);
  expect(document).toEqual({
    ...{ app: 'tutor', userId: 'ada', calls: 0, namedUntil: '2026-12-01T00:00:00.000Z' },
    pseudonym: expect.stringMatching(/^u_\w{24}$/),
  });
  const [line] = await desk.records(['log', 'list', '--subject', 'tutor/ada']);
  expect(line).toMatchObject({ action: 'user.erase', reason: 'request 17' });
  expect((await run(['calls', 'list', '--user', 'ada'])).errors.join()).toMatch(/ still have /);

  stack.clock.set(Date.UTC(2026, 11, 3));
  await stack.clock.advance(600_000);
  for (const words of [
    ['wallets', 'history', 'tutor', 'ada'],
    ['calls', 'list', '--user', 'ada'],
  ]) {
    const { errors, out } = await run(words);
    expect(errors[0]).toMatch(/^This user of tutor was erased on 2026-11-21T.* under u_\w{24}\.$/);
    expect(out.join()).not.toContain('2026-11');
  }
});

test.each([
  [['users', 'erase', 'nobody', 'ada', '--yes'], 'nobody'],
  [['users', 'scrub'], 'another model-gateway uses the store'],
])('%j is rejected', async (words, sentence) => {
  const { store } = stack.config;
  const lock = lockSqliteStore(store.kind === 'sqlite' ? store.path : '', { log: silentLog });
  const { code, errors } = await run(words);
  lock.close();
  expect(code).toBe(1);
  expect(errors.join()).toContain(sentence);
});

test('a file that is not served is rewritten', async () => {
  const alone = await openDesk();
  await alone.json(['apps', 'list']);
  const { out } = await alone.run(['users', 'scrub', '--config', alone.file]);
  expect(out[0]).toMatch(/^Rewrote .*gateway\.db \(\d+ bytes\)\./);
  await alone.close();
});
