import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { instanceDeadMs } from '../../src/books/instance.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { setBudget, showBudget } from '../../src/operations/budgets/budgets.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { big } from '../../src/store/schema/columns.ts';
import { adminOn, count, openHolds } from '../../test/store/support/books.ts';
import { openProxy, type TcpProxy } from '../../test/store/support/proxy.ts';
import type { Served } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import { callers, expectHonestBooks, type Replicas, type Seen } from './replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;
let proxy: TcpProxy;
let frozen: Served;
let other: Served;
beforeEach(async () => {
  replicas = await stores.onPostgres();
  proxy = await openProxy(replicas.databaseUrl);
  [frozen, other] = await Promise.all([replicas.start(proxy.url), replicas.start()]);
});
afterEach(async () => {
  await proxy.close();
});

/** Stops a replica when these locks of it are on their way to the server. */
function freezeWithLocks(locks = 'for update of budget_day'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  proxy.onSql = (sql) => {
    // Not a lock for quota, which begins and commits in one message.
    if (!sql.includes(locks)) return;
    proxy.onSql = () => undefined;
    frozen.process.kill('SIGSTOP');
    resolve();
  };
  return promise;
}

/** Until the other replica has declared the frozen one dead, and ended its reservations. */
function untilEnded() {
  return until(async () => {
    const dead = `select id from owner where seen_at <= ${systemClock.now() - instanceDeadMs}`;
    const holds = `select count(*) as n from hold where owner in (${dead})`;
    const isDead = (await count(replicas.store, `select count(*) as n from (${dead})`)) === 1;
    return isDead && (await count(replicas.store, holds)) === 0;
  });
}

test('a replica that freezes with its locks stops nobody, and doubles nothing', async () => {
  const { apiKey } = replicas;
  const ofFrozen: Seen = { answered: [], errors: [] };
  const ofOther: Seen = { answered: [], errors: [] };
  let isOver = false;
  const goesOn = () => !isOver;
  const running = [
    callers({ url: frozen.url, apiKey, seen: ofFrozen, count: 16, goesOn }),
    callers({ url: other.url, apiKey, seen: ofOther, count: 16, goesOn }),
  ];
  await until(() => ofFrozen.answered.length > 40 && ofOther.answered.length > 40);
  await freezeWithLocks();
  const before = ofOther.answered.length;
  await until(() => ofOther.answered.length > before + 40);
  const timedOut = 'terminating connection due to idle-in-transaction timeout';
  if (stores.server().isOwn) await until(() => stores.server().log().includes(timedOut));
  await untilEnded();
  frozen.process.kill('SIGCONT');
  const after = ofFrozen.answered.length;
  await until(() => ofFrozen.answered.length > after + 40);
  isOver = true;
  await Promise.all(running);
  expect(ofOther.errors).toEqual([]);
  expect(await frozen.end('SIGTERM')).toBe(0);
  expect(await other.end('SIGTERM')).toBe(0);
  const answered = [...ofFrozen.answered, ...ofOther.answered];
  await expectHonestBooks(replicas, { answered, errors: [] });
});

test('the company’s row, locked by a frozen replica, stops no other app', async () => {
  const admin = adminOn(replicas.store);
  await createApp(admin, 'tutor', {});
  const { key } = await issueKey(admin, { app: 'tutor', email: 'team@acme.example' });
  const cap = (usd: string) =>
    setBudget(admin, 'company', { apps: 'all', dailyPicoUsd: parseUsd(usd) }, []);
  await cap('900');
  const ofFrozen: Seen = { answered: [], errors: [] };
  const ofOther: Seen = { answered: [], errors: [] };
  let isOver = false;
  const goesOn = () => !isOver;
  const quick = () => 'sim-echo';
  // Each has its own app: they share only the company's row.
  const { apiKey } = replicas;
  await until(async () => (await fetchModels(other, key)) === 200);
  const running = [
    callers({ url: frozen.url, apiKey, seen: ofFrozen, count: 8, goesOn }, quick),
    callers({ url: other.url, apiKey: key, seen: ofOther, count: 8, goesOn }, quick),
  ];
  await until(() => ofFrozen.answered.length > 40 && ofOther.answered.length > 40);
  await freezeWithLocks('order by scope, period');
  const before = ofOther.answered.length;
  await until(() => ofOther.answered.length > before + 40);
  // Nor does it block a change of the budget, which takes the lock over all of them.
  await cap('800');
  frozen.process.kill('SIGCONT');
  const after = ofFrozen.answered.length;
  await until(() => ofFrozen.answered.length > after + 40);
  isOver = true;
  await Promise.all(running);
  expect(ofOther.errors).toEqual([]);
  const answered = [...ofFrozen.answered, ...ofOther.answered];
  await expectHonestBooks(replicas, { answered, errors: [] });
  expect(await openHolds(replicas.store)).toBe(0);
  const spent = await replicas.store.read({
    sql: 'select cast(sum(spent) as bigint) as spent from budget_day',
    values: [],
    map: ([row = {}]) => big(row, 'spent'),
  });
  const [company] = await showBudget(admin, 'company');
  expect(parseUsd(company?.spentUsd ?? '')).toBe(spent);
  expect(company).toMatchObject({ capUsd: '800', heldUsd: '0' });
});

/** Whether a replica has loaded a key. */
async function fetchModels({ url }: Served, key: string): Promise<number> {
  return (await fetch(`${url}/v1/models`, { headers: { 'x-api-key': key } })).status;
}
