import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { createConnectionLimits } from '../../src/ingress/http/connection-limits.ts';
import { openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { recordingLog } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = await server.key('search');
  server.service.connections.bound(server.listener, 'public', 5);
});
afterAll(() => server.close());

async function droppedShown(): Promise<string | undefined> {
  const page = await server.service.monitor.pages['/metrics']?.();
  const shown = /^model_gateway_connections_dropped_total\{listener="public"\} (\d+)$/m;
  return shown.exec(page?.text ?? '')?.[1];
}

describe('a listener accepts a limited number of connections', () => {
  test('and serves the accepted ones', async () => {
    expect(await droppedShown()).toBe('0');
    const connections = await Promise.all([1, 2, 3, 4, 5].map(() => openRaw(server.port)));
    const asked = requestText('GET /v1/usage', { 'x-api-key': key });
    for (const connection of connections) connection.write(asked);
    for (const connection of connections) expect((await connection.answer()).status).toBe(200);
    for (let more = 1; more <= 3; more++) {
      const dropped = await openRaw(server.port);
      await dropped.ended();
      await expect(dropped.answer()).rejects.toThrow('ended after ""');
    }
    expect(await droppedShown()).toBe('3');
    for (const connection of connections) {
      connection.write(asked);
      expect((await connection.answer()).status).toBe(200);
      connection.close();
    }
  });

  test('and has room again when one ends', async () => {
    await until(async () => {
      const connection = await openRaw(server.port);
      connection.write(requestText('GET /health', {}));
      const answer = await connection.answer().catch(() => undefined);
      connection.close();
      return answer?.status === 200;
    });
  });
});

test('and reports dropped ones at once, and then once a minute', async () => {
  const clock = createTestClock();
  const { log, lines } = recordingLog();
  const limits = createConnectionLimits({ clock, log });
  const { listener } = server;
  limits.bound(listener, 'admin', 5);
  const drop = (times: number) => {
    for (let time = 0; time < times; time++) listener.emit('drop');
  };
  const told = () => lines.splice(0).map(({ level, fields }) => ({ level, ...fields }));
  const line = { level: 'warn', listener: 'admin', connectionsMax: 5 };
  drop(1_000);
  expect(told()).toEqual([{ ...line, dropped: 1 }]);
  await clock.advance(59_999);
  expect(told()).toEqual([]);
  await clock.advance(1);
  expect(told()).toEqual([{ ...line, dropped: 999 }]);
  await clock.advance(60_000);
  drop(1);
  expect(told()).toEqual([{ ...line, dropped: 1 }]);
  expect(limits.dropped()).toEqual({ admin: 1_001, public: 0 });
});
