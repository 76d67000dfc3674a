import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { adminOn } from '../../test/store/support/books.ts';
import { readStream } from '../../test/streams/support/served.ts';
import { chatOf } from '../../test/support/exchange.ts';
import { untilKnown } from '../../test/support/process.ts';
import { openReplicaStores } from '../faults/replica-stores.ts';

const stores = openReplicaStores();
// The list of apps continues.
const yaml = `
  - { name: tutor, dailyBudgetUsd: "1000" }
threads: 2
streaming: true
streams: { inFlight: 40 }
`;

test.each(stores.all)('two threads on %s share streams between apps', async (_, open) => {
  const replicas = await open({ yaml });
  const served = await replicas.start();
  const admin = adminOn(replicas.store);
  const { key } = await issueKey(admin, { app: 'tutor', email: 'team@acme.example' });
  await untilKnown(served, key, 12);
  const body = chatOf('sim-slow');
  const statuses: number[] = [];
  const eager = Array.from({ length: 60 }, async () => {
    const { status } = await readStream(served.url, { apiKey: replicas.apiKey, body });
    statuses.push(status);
  });
  // Five of 40 are reserved; two threads that check at once may exceed that by one.
  await until(() => statuses.filter((status) => status === 429).length >= 24);
  const others = Array.from({ length: 3 }, () => readStream(served.url, { apiKey: key, body }));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
  await Promise.all(eager);
  const { length } = statuses.filter((status) => status === 200);
  expect([length >= 35, length <= 36]).toEqual([true, true]);
  expect(await served.end('SIGTERM')).toBe(0);
});
