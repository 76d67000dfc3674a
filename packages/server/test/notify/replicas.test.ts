import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectWebhookUses } from '../../src/store/queries/alerts.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { event, startProcess } from './support/process.ts';
import { webhookTo } from './support/webhooks.ts';

const webhooks = [
  webhookTo('https://hooks.example/x'),
  webhookTo('https://hooks.example/y', { name: 'other' }),
];

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

async function onStore(work: (open: () => Promise<Store>) => Promise<void>) {
  const url = await server.database();
  const opened: Store[] = [];
  await work(async () => {
    const store = await openPostgresStore({ url, log: silentLog });
    opened.push(store);
    return store;
  }).finally(() => Promise.all(opened.map((store) => store.close())));
}

// The lease uses the server's clock, which is the machine's: old events are abandoned.
const atMs = Date.now();
const some = (from: number) =>
  Array.from({ length: 30 }, (_, index) => event(`m${from + index}`, { atMs }));

test('of two replicas one delivers, each event once, and the other takes over', () =>
  onStore(async (open) => {
    const parts = { webhooks, startMs: Date.now() };
    // Both find the same, as rules on one store do, and one of them finds one more.
    const one = startProcess({
      ...parts,
      store: await open(),
      instanceId: 'one',
      ruleEvents: some(0),
    });
    const both = [...some(0), ...some(30)];
    const other = startProcess({
      ...parts,
      store: await open(),
      instanceId: 'other',
      ruleEvents: both,
    });
    await one.clock.advance(5_000);
    await other.clock.advance(5_000);
    expect(one.attempts).toHaveLength(60);
    expect(other.attempts).toEqual([]);
    expect(other.notifier.waiting()).toEqual([]);

    // From here on the first is frozen, as if killed with the lease in its name.
    await other.clock.advance(10_000);
    expect(other.attempts).toEqual([]);
    await other.clock.advance(10_000);
    expect(other.attempts).toHaveLength(60);
    const pairs = [...one.attempts, ...other.attempts].map(
      ({ webhook: hook, id }) => `${hook} ${id}`,
    );
    expect(new Set(pairs).size).toBe(120);

    // It was only delayed: it finds the lease gone, and begins nothing.
    await one.clock.advance(30_000);
    expect(one.attempts).toHaveLength(60);
    const uses = await (await open()).read(selectWebhookUses);
    expect(uses.map(({ delivered }) => delivered)).toEqual([60, 60]);
    await Promise.all([one, other].map(({ clock, notifier }) => clock.run(notifier.stop())));
  }));

test('a replica that shuts down cleanly is replaced at once', () =>
  onStore(async (open) => {
    const parts = { webhooks, startMs: Date.now() };
    const one = startProcess({ ...parts, store: await open(), instanceId: 'one' });
    const other = startProcess({
      ...parts,
      store: await open(),
      instanceId: 'other',
      ruleEvents: some(0),
    });
    await one.clock.advance(5_000);
    await one.clock.run(one.notifier.stop());
    await other.clock.advance(5_000);
    expect(other.attempts).toHaveLength(60);
    await other.clock.run(other.notifier.stop());
  }));

test('a lease from before the clock was set back blocks no other replica', () =>
  onStore(async (open) => {
    const nowMs = Date.now();
    const one = startProcess({ webhooks, store: await open(), instanceId: 'one', startMs: nowMs });
    await one.clock.advance(5_000);
    const parts = { webhooks, store: await open(), instanceId: 'other', ruleEvents: some(0) };
    const other = startProcess({ ...parts, startMs: nowMs - 3_600_000 });
    await other.clock.advance(5_000);
    expect(other.attempts).toHaveLength(60);
    await Promise.all([one, other].map(({ clock, notifier }) => clock.run(notifier.stop())));
  }));
