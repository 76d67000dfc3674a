import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { count, openHolds } from '../store/support/books.ts';
import { until } from '../store/support/load.ts';
import { chatOf } from '../support/exchange.ts';
import { type Served, startServed } from '../support/process.ts';
import { openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { openReplicas, type Replicas } from './replicas.ts';

// A busy machine takes its time to start processes.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let replicas: Replicas;
let served: Served | undefined;
let connections: RawConnection[] = [];
beforeEach(async () => {
  replicas = await openReplicas('sqlite', { limits: '{ stopMs: 1000 }' });
});
afterEach(async () => {
  for (const connection of connections) connection.close();
  connections = [];
  await served?.end('SIGKILL');
  await replicas.close();
});

/** A connection that stays open until the test is over, or closes it. */
async function connect(url: string): Promise<RawConnection> {
  const connection = await openRaw(Number(new URL(url).port));
  connections.push(connection);
  return connection;
}

async function start(options: Parameters<typeof startServed>[1]): Promise<Served> {
  served = await startServed(['serve'], options);
  return served;
}

test('a process without descriptors answers INTERNAL, opens no circuit, and recovers', async () => {
  const { apiKey, store, folder: cwd, databaseUrl } = replicas;
  const environment = { MODEL_GATEWAY_STORE: databaseUrl };
  const { url, log, end } = await start({ cwd, environment, openFilesMax: 64 });
  await until(() => log().includes('limits.inFlight is 2000, 64 open files are enough'));
  expect(log()).toContain('raise them to 4200 (ulimit -n), or lower limits.inFlight');

  const call = (model: string) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    return requestText('POST /v1/chat', headers, JSON.stringify(chatOf(model)));
  };
  const patient = await connect(url);
  const ask = async () => {
    patient.write(call('sim-echo'));
    return await patient.answer();
  };
  expect((await ask()).status).toBe(200);
  for (let slow = 0; slow < 5; slow++) (await connect(url)).write(call('sim-stuck'));
  await until(async () => (await openHolds(store)) === 5);

  // A request without a key needs no permit, and has its connection until its body is late.
  const greedy = await Promise.all(Array.from({ length: 64 }, () => connect(url)));
  const endless = requestText('POST /health', { 'content-length': '100000' });
  let turnedAway = 0;
  for (const connection of greedy) void connection.ended().then(() => (turnedAway += 1));
  for (const connection of greedy) connection.write(endless);
  await until(() => turnedAway > 0);

  // More than the attempts that a circuit looks at.
  for (let request = 0; request < 30; request++) {
    const { status, headers, text } = await ask();
    expect([status, headers.get('retry-after')]).toEqual([500, '1']);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'INTERNAL' } });
  }
  const free = "select count(*) as n from call where code = 'INTERNAL' and basis = 'free'";
  expect(await count(store, free)).toBe(30);
  // The log is written together now and then.
  await until(() => log().includes('EMFILE'));

  for (const connection of greedy) connection.close();
  let answer = await ask();
  while (answer.status === 500) answer = await ask();
  expect(answer.status).toBe(200);
  expect(await end('SIGTERM')).toBe(0);
});
