import { expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { startAuditHead } from '../../src/observe/audit-head.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { openDesk } from '../cli/support/desk.ts';
import { adminOn } from '../store/support/books.ts';
import { createTestClock } from '../support/test-clock.ts';
import { watchStore } from '../support/watched-store.ts';

test('a service logs the head of the audit log every hour', async () => {
  const store = watchStore(openDirectStore(':memory:'));
  const clock = createTestClock({ pending: store.pending });
  await createApp(adminOn(store), 'search', {});
  const told: object[] = [];
  const log = { ...silentLog, info: (fields: object) => void told.push(fields) };
  const { stop } = startAuditHead({ store, clock, log });
  await clock.advance(3_600_000 - 1);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual([{ seq: 1, kid: '', hmac: expect.stringMatching(/^[\w-]{43}$/) }]);
  await clock.advance(3_600_000);
  expect(told.length).toBe(2);
  await stop();
  await store.close();
});

test('a command copies its changes to standard error if a log is requested', async () => {
  const desk = await openDesk({ environment: { MODEL_GATEWAY_LOG: 'info' } });
  const quiet = await openDesk();
  try {
    const create = ['apps', 'create', 'other', '--json', '--config'];
    const { code, errors } = await desk.run([...create, desk.file]);
    expect(code).toBe(0);
    const lines = errors.map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({
      ...{ level: 'info', msg: 'audit line', action: 'app.create', subject: 'other' },
      ...{ seq: lines.length, kid: expect.stringMatching(/^made-/), hmac: expect.any(String) },
    });
    expect((await quiet.run([...create, quiet.file])).errors).toEqual([]);
  } finally {
    await Promise.all([desk.close(), quiet.close()]);
  }
});
