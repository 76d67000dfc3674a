import { Pool } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../harness/until.ts';
import { projectIdOf, type ServedSimulator, serveSimulator } from '../src/index.ts';
import { asking, at } from './open.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

let clock: VirtualClock;
let served: ServedSimulator;
let pool: Pool;

beforeEach(async () => {
  clock = createVirtualClock();
  served = await serveSimulator({ port: 0, clock });
  served.simulator.createProject('prod-acme-core-search');
  pool = new Pool(served.url, { connections: 4 });
});

afterEach(async () => {
  await pool.destroy();
  await served.close();
});

function chat(model: string, signal?: AbortSignal) {
  return pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'openai-project': projectIdOf('prod-acme-core-search') },
    body: JSON.stringify(asking(model)),
    signal: signal ?? null,
  });
}

const calls = () => served.simulator.bill().calls;

test('an ordinary call succeeds and is billed', async () => {
  const response = await chat('sim-echo');
  expect(response.statusCode).toBe(200);
  expect(response.headers['x-request-id']).toMatch(/^req_/);
  const body = await response.body.json();
  expect(at(body, 'choices', 0, 'message', 'content')).toBe('What is a gateway?');
  await until(() => calls()[0]?.answered === true);
  const bill = await pool.request({ method: 'GET', path: '/simulator/bill?calls=1' });
  const requestId = response.headers['x-request-id'];
  expect(await bill.body.json()).toMatchObject({ total: { calls: 1 }, calls: [{ requestId }] });
});

test('a reset connection sends no byte, and the call is billed', async () => {
  await expect(chat('sim-reset')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(calls()).toMatchObject([{ model: 'sim-reset', answered: false }]);
});

test('a connection that dies in the body has sent status and headers', async () => {
  const response = await chat('sim-reset-mid-body');
  expect(response.statusCode).toBe(200);
  expect(Number(response.headers['content-length'])).toBeGreaterThan(100);
  await expect(response.body.text()).rejects.toThrow();
  expect(calls()).toMatchObject([{ answered: false }]);
});

describe('damaged bodies are whole for HTTP', () => {
  const rows = [
    { model: 'sim-html', status: 200, type: 'text/html; charset=utf-8' },
    { model: 'sim-half-json', status: 200, type: 'application/json' },
    { model: 'sim-empty-body', status: 200, type: undefined },
    { model: 'sim-redirect', status: 302, type: undefined },
    { model: 'sim-gateway-timeout', status: 504, type: 'application/json' },
  ] as const;
  test.each(rows)('$model', async ({ model, status, type }) => {
    const response = await chat(model);
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe(type);
    expect(await response.body.text()).toHaveLength(Number(response.headers['content-length']));
  });
});

test('a client that hangs up is billed when the model finishes', async () => {
  const leaving = new AbortController();
  const pending = chat('sim-slow', leaving.signal);
  await until(() => clock.pending() === 1);
  leaving.abort();
  await expect(pending).rejects.toThrow('aborted');
  // A second call over the same server proves that the hang-up was read before time advances.
  await (await chat('sim-echo')).body.dump();
  await clock.advance(2_000);
  await until(() => calls().length === 2);
  expect(calls().at(-1)).toMatchObject({ model: 'sim-slow', answered: false });
});

test('closing ends calls that would never get a response', async () => {
  const pending = chat('sim-stuck');
  const rejected = expect(pending).rejects.toThrow();
  await (await chat('sim-echo')).body.dump();
  await served.close();
  await rejected;
  expect(calls()).toHaveLength(1);
});

test('a taken port is a rejection, not an uncaught error', async () => {
  const port = Number(new URL(served.url).port);
  await expect(serveSimulator({ port, clock })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('two servers give different request ids', async () => {
  const other = await serveSimulator({ port: 0 });
  const [one, two] = [await fetch(served.url), await fetch(other.url)];
  expect(one.headers.get('x-request-id')).not.toBe(two.headers.get('x-request-id'));
  await other.close();
});
