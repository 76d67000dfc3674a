import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { count, openHolds } from '../../test/store/support/books.ts';
import { chatOf } from '../../test/support/exchange.ts';
import { type Served, startServed } from '../../test/support/process.ts';
import { openRaw, type RawConnection, requestText } from '../../test/support/raw-http.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
/** In front of the simulator: it counts the service's connections there. */
let relay: Relay;
let served: Served | undefined;
let connections: RawConnection[] = [];
beforeEach(async () => {
  // The calls that never end must outlast a slow machine; otherwise their descriptors return.
  const limits = '{ stopMs: 1000, modelCallMs: 600000, gatewayMs: 600000 }';
  replicas = await openReplicas('sqlite', { limits });
  const { folder, simulator } = replicas;
  relay = await openRelay();
  relay.aim(simulator.url);
  const file = join(folder, 'gateway.yaml');
  const yaml = await readFile(file, 'utf8');
  await writeFile(file, yaml.replace(simulator.url, relay.url));
});
afterEach(async () => {
  for (const connection of connections) connection.close();
  connections = [];
  await served?.end('SIGKILL');
  await relay.close();
  await replicas.close();
});

/** A connection that stays open until the end of the test, or until closed. */
async function connect(url: string): Promise<RawConnection> {
  const connection = await openRaw(Number(new URL(url).port));
  connections.push(connection);
  return connection;
}

/**
 * Uses up each remaining descriptor of the service, until it rejects a connection. A connection
 * with a valid key may be idle for long. Each round uses all of them, so none ends because of its
 * age.
 */
async function takeAll(url: string, taken: Set<RawConnection>): Promise<void> {
  const models = requestText('GET /v1/models', { 'x-api-key': replicas.apiKey });
  const isHeld = async (connection: RawConnection) => {
    connection.write(models);
    const status = await connection.answer().then(
      (answer) => answer.status,
      () => 'turned away',
    );
    if (status === 200) taken.add(connection);
    else taken.delete(connection);
    return status === 200;
  };
  await Promise.all(Array.from(taken, isHeld));
  while (await isHeld(await connect(url)));
}

async function start(options: Parameters<typeof startServed>[1]): Promise<Served> {
  served = await startServed(['serve'], options);
  return served;
}

test('a process without descriptors answers INTERNAL, opens no circuit, and recovers', async () => {
  const { apiKey, store, folder: cwd, databaseUrl } = replicas;
  const environment = { MODEL_GATEWAY_STORE: databaseUrl };
  const { url, log, end } = await start({ cwd, environment, openFilesMax: 64 });
  await until(() => log().includes('limits.inFlight is 2000, but 64 open files support only'));
  expect(log()).toContain('raise the limit to 4200 (ulimit -n), or lower limits.inFlight');

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
  // The connections of the startup and of that call are idle for a while, then their slot is free.
  await until(() => relay.connections() === 0);
  for (let slow = 0; slow < 5; slow++) (await connect(url)).write(call('sim-stuck'));
  await until(() => relay.connections() === 5);
  expect(await openHolds(store)).toBe(5);

  const taken = new Set<RawConnection>();
  // More than the attempts that a circuit counts.
  for (let request = 0; request < 30; request++) {
    await takeAll(url, taken);
    const { status, headers, text } = await ask();
    expect([status, headers.get('retry-after')]).toEqual([500, '1']);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'INTERNAL' } });
  }
  const free = "select count(*) as n from call where code = 'INTERNAL' and basis = 'free'";
  expect(await count(store, free)).toBe(30);
  // The log is written in batches.
  await until(() => log().includes('EMFILE'));

  for (const connection of taken) connection.close();
  await until(async () => (await ask()).status === 200);
  expect(await end('SIGTERM')).toBe(0);
});
