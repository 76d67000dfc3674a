import { afterEach, beforeEach, expect, test } from 'vitest';
import { pause, until } from '../store/support/load.ts';
import { openProxy, type TcpProxy } from '../store/support/proxy.ts';
import type { Served } from '../support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import { callers, expectHonestBooks, type Replicas, type Seen } from './replicas.ts';

/** After this sleep the others have taken the replica for dead, and ended its holds. */
const sleepMs = 11_000;

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

/** Stops a replica at the moment when its locks are on their way to the server. */
function freezeWithLocks(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  proxy.onSql = (sql) => {
    // Not one for quota, which begins and commits in one message.
    if (!sql.includes('for update of budget_day')) return;
    proxy.onSql = () => undefined;
    frozen.process.kill('SIGSTOP');
    resolve();
  };
  return promise;
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
  await pause(sleepMs);
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
