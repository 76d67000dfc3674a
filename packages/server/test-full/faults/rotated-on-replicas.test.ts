import { expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { issueKey, rotateKey } from '../../src/operations/keys/keys.ts';
import { adminOn } from '../../test/store/support/books.ts';
import { type Served, untilKnown } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';

const stores = openReplicaStores();
const graceMs = 4_000;

test('a rotated key works on both replicas until its grace period ends, then on none', async () => {
  const replicas = await stores.onPostgres();
  const places = await Promise.all([replicas.start(), replicas.start()]);
  const admin = adminOn(replicas.store);
  const old = await issueKey(admin, { app: 'search', email: 'team@acme.example' });
  await Promise.all(places.map((place) => untilKnown(place, old.key)));
  const rotated = await rotateKey(admin, old.id, { graceMs });
  const endsAtMs = Date.parse(rotated.oldEndsAt ?? '');
  await Promise.all(places.map((place) => untilKnown(place, rotated.key)));
  const ended = await Promise.all(places.map((place) => endOf(place, old.key)));
  // By the database's clock, and on none before.
  for (const { lastAnsweredMs, refusedMs } of ended) {
    expect(refusedMs).toBeGreaterThanOrEqual(endsAtMs);
    expect(lastAnsweredMs).toBeGreaterThan(0);
  }
  for (const place of places) {
    expect(await statusOf(place, old.key)).toBe(403);
    expect(await statusOf(place, rotated.key)).toBe(200);
  }

  /** The last acceptance and the first rejection of a key by a replica. */
  async function endOf(place: Served, key: string) {
    for (let lastAnsweredMs = 0; ; ) {
      const status = await statusOf(place, key);
      const nowMs = admin.clock.now();
      if (status === 403) return { lastAnsweredMs, refusedMs: nowMs };
      expect(status).toBe(200);
      lastAnsweredMs = nowMs;
      await pause(20);
    }
  }
});

async function statusOf({ url }: Served, key: string): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Hello' }];
  const body = JSON.stringify({ model: 'sim-echo', maxTokens: 50, messages });
  return (await fetch(`${url}/v1/chat`, { method: 'POST', headers, body })).status;
}
