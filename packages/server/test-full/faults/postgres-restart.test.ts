import { beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import type { Served } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import { callers, expectHonestBooks, type Replicas, type Seen } from './replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;
let services: readonly Served[];
beforeEach(async () => {
  replicas = await stores.onPostgres();
  services = await Promise.all([replicas.start(), replicas.start()]);
});

test.skipIf(process.env.MODEL_GATEWAY_TEST_POSTGRES !== undefined)(
  'a server that restarts under load loses no answered call; calls fail closed until then',
  async () => {
    const { apiKey } = replicas;
    const seen: Seen = { answered: [], errors: [] };
    let isOver = false;
    const goesOn = () => !isOver;
    const begin = (count: number) =>
      services.map(({ url }) => callers({ url, apiKey, seen, count, goesOn }));
    const running = begin(20);
    await until(() => seen.answered.length > 100);

    await stores.server().stop();
    const billed = () => replicas.simulator.simulator.bill().total.calls;
    const billedAtStop = billed();
    // The model may have answered all earlier calls: they wait for their settlement.
    running.push(...begin(5));
    const upTo = seen.errors.length;
    await until(() => seen.errors.length > upTo + 120);
    // Running calls may end, one of each of 40 callers, and no new call begins.
    expect(billed() - billedAtStop).toBeLessThanOrEqual(40);
    const sinceThen = seen.errors.length;
    await until(() => seen.errors.length > sinceThen + 500);
    const last = seen.errors.slice(-20);
    for (const { status, code, retryAfterMs } of last) {
      expect({ status, code, retryAfterMs }).toEqual({
        status: 500,
        code: 'INTERNAL',
        retryAfterMs: 1_000,
      });
    }
    const answeredBefore = seen.answered.length;
    await stores.server().start();
    await until(() => seen.answered.length > answeredBefore + 100);
    isOver = true;
    await Promise.all(running);
    expect(await Promise.all(services.map((service) => service.end('SIGTERM')))).toEqual([0, 0]);
    await expectHonestBooks(replicas, seen);
  },
);
