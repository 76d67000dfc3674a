import { afterEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { type Served, startServed } from '../../test/support/process.ts';
import { openRaw, type RawConnection, requestText } from '../../test/support/raw-http.ts';
import { openReplicas, type Replicas } from './replicas.ts';

// With this number of open files, and permits for 100 calls, callers have 220 connections.
const openFilesMax = 620;
const limits = '{ inFlight: 100 }';

let replicas: Replicas;
let served: Served | undefined;
let opened: RawConnection[] = [];
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.close();
  await served?.end('SIGKILL');
  await replicas.close();
});

async function start(yaml: string): Promise<Served> {
  replicas = await openReplicas('sqlite', { limits, yaml });
  const environment = { MODEL_GATEWAY_STORE: replicas.databaseUrl };
  served = await startServed(['serve'], { cwd: replicas.folder, environment, openFilesMax });
  return served;
}

async function openMany({ url }: Served, count: number): Promise<readonly RawConnection[]> {
  const port = Number(new URL(url).port);
  const connections = await Promise.all(Array.from({ length: count }, () => openRaw(port)));
  opened = [...opened, ...connections];
  return connections;
}

async function statusesOf(connections: readonly RawConnection[]): Promise<ReadonlySet<number>> {
  const models = requestText('GET /v1/models', { 'x-api-key': replicas.apiKey });
  for (const connection of connections) connection.write(models);
  const answers = await Promise.all(connections.map((connection) => connection.answer()));
  return new Set(answers.map(({ status }) => status));
}

test('220 connections without a key block no caller that has one', async () => {
  const gateway = await start('');
  const early = await openMany(gateway, 4);
  expect(await statusesOf(early)).toEqual(new Set([200]));
  const flood = await openMany(gateway, 220);
  expect(await statusesOf(await openMany(gateway, 8))).toEqual(new Set([200]));
  expect(await statusesOf(early)).toEqual(new Set([200]));
  // 22 of one network remain, and eight of those were closed for the callers.
  await flood[0]?.ended();
  await until(() => gateway.log().includes('"reason":"network"'));
  expect(gateway.log()).toContain('"network":"127.0.0.0/24"');
});

test('a trusted proxy may open as many connections as there are', async () => {
  const gateway = await start('trustedProxies: [127.0.0.1]\n');
  const connections = await openMany(gateway, 200);
  expect(await statusesOf(connections)).toEqual(new Set([200]));
  expect(gateway.log()).not.toContain('connections without a valid key dropped');
});

test('callers of one network that connect together are all served', async () => {
  const gateway = await start('');
  const models = requestText('GET /v1/models', { 'x-api-key': replicas.apiKey });
  const port = Number(new URL(gateway.url).port);
  const asked = Array.from({ length: 200 }, async () => {
    const connection = await openRaw(port);
    opened.push(connection);
    connection.write(models);
    return (await connection.answer()).status;
  });
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
});
