import { type ChatAnswer, createClient } from '@model-gateway/sdk';
import { beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { count } from '../../test/store/support/books.ts';
import { openReplicaStores } from './replica-stores.ts';
import { expectHonestBooks, type Replicas } from './replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;
beforeEach(async () => {
  replicas = await stores.onPostgres();
});

test('a rolling restart of two replicas under load fails no call of the client', async () => {
  const places = await Promise.all([replicas.start(), replicas.start()]);
  const answered: ChatAnswer[] = [];
  const turns = new Map<string, number>();
  let attempts = 0;
  const client = createClient({
    ...{ baseUrl: 'http://gateway.test/v1', apiKey: replicas.apiKey },
    // Like a load balancer without health checks: round robin, and a retry at the next address.
    fetch(input, init) {
      const key = new Headers(init?.headers).get('idempotency-key') ?? '';
      const turn = turns.get(key) ?? turns.size;
      turns.set(key, turn + 1);
      attempts += 1;
      const url = places[turn % places.length]?.url ?? '';
      return fetch(String(input).replace('http://gateway.test', url), init);
    },
  });
  let isOver = false;
  const caller = async (index: number) => {
    for (let call = index; !isOver; call++) {
      const model = call % 4 === 0 ? 'sim-slow' : 'sim-echo';
      const messages = [{ role: 'user', content: 'Hello' }] as const;
      // The client has only its own three attempts: an exception of it fails the test.
      answered.push(await client.chat({ model, maxTokens: 50, messages }));
    }
  };
  const running = Promise.all(Array.from({ length: 20 }, (_, index) => caller(index)));
  const more = (calls: number) => {
    const before = answered.length;
    return Promise.race([until(() => answered.length > before + calls), running]);
  };
  await more(100);
  for (const [place, old] of [...places].entries()) {
    // The new one is ready before the old one stops, as with orchestrators.
    const young = await replicas.start();
    const stopped = old.end('SIGTERM');
    await more(20);
    places[place] = young;
    expect(await stopped).toBe(0);
    await more(100);
  }
  isOver = true;
  await running;
  const ends = places.map((served) => served.end('SIGTERM'));
  expect(await Promise.all(ends)).toEqual([0, 0]);
  await expectHonestBooks(replicas, { answered, errors: [] });
  const billed = replicas.simulator.simulator.bill().total.calls;
  expect(await count(replicas.store, 'select count(*) as n from call')).toBe(billed);
  expect(answered).toHaveLength(billed);
  console.info(`rolling restart: ${answered.length} calls, ${attempts} attempts, 0 failed`);
});
