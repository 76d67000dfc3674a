import { createSimulator } from '@model-gateway/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { createFetch } from '../../src/ingress/http/fetch.ts';
import { systemClock, utcDayOf } from '../../src/lib/clock.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openHolds, openReplica } from '../store/support/books.ts';
import { composeOn } from '../store/support/replica.ts';
import { readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { amountsOf } from './support/oracle.ts';
import { toldChat, toldRows, twentyWords } from './support/told.ts';
import { createWire, type Wire } from './support/wire.ts';

type Replica = Awaited<ReturnType<typeof composeOn>>;

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let stores: readonly Store[];
let first: Replica;
let second: Replica;
const simulator = createSimulator({ clock: systemClock });

beforeEach(async () => {
  const url = await server.database();
  stores = [await openReplica(url), await openReplica(url)];
  const [one, other] = stores;
  if (one === undefined || other === undefined) throw new Error('there are two');
  const yaml = `streaming: true\n${toldRows()}`;
  first = await composeOn({ store: one, url, simulator, yaml });
  second = await composeOn({ store: other, url, simulator, yaml, apiKey: first.apiKey });
});
afterEach(async () => {
  await Promise.all([first.stop(), second.stop()]);
  for (const store of stores) await store.close();
});

const body = toldChat({ text: twentyWords, stream: { gapMs: 40 } });

test('on another replica it waits, and then gets the complete response again', async () => {
  const running = await ask(first);
  const waiting = ask(second);
  const [one, other] = [await readOn(running), await readOn(await waiting)];
  expect(one.events.length).toBeGreaterThan(10);
  expect(other.events.map(({ name }) => name)).toEqual(['start', 'text', 'finish']);
  expect(other.events.at(-1)?.text).toBe(one.events.at(-1)?.text);
  expect(other.events[0]?.text).toBe(one.events[0]?.text);
  await expectOnePaid('OK');
});

test('the response of a disconnected caller is collected at another replica', async () => {
  const leaving = new AbortController();
  const response = await ask(first, leaving.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel().catch(() => undefined);
  const collected = await readOn(await ask(second));
  expect(collected.events.map(({ name }) => name)).toEqual(['start', 'text', 'finish']);
  await expectOnePaid('ABORTED');
});

function ask({ service, apiKey }: Replica, signal?: AbortSignal): Promise<Response> {
  return createFetch(service.ingress)('http://gateway.test/v1/chat/stream', {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': apiKey, 'content-type': 'application/json' },
      'idempotency-key': 'on two replicas',
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function readOn(response: Response): Promise<Wire> {
  expect(response.status).toBe(200);
  const wire = createWire();
  for await (const bytes of response.body ?? []) wire.push(bytes);
  wire.end();
  return wire;
}

async function expectOnePaid(code: string) {
  const [store] = stores;
  if (store === undefined) throw new Error('there are two');
  await until(async () => (await openHolds(store)) === 0);
  const calls = await readCalls(store, 'search', utcDayOf(systemClock.now()));
  expect(calls).toMatchObject([{ cost: amountsOf(body).exact(20), basis: 'exact', code }]);
}
