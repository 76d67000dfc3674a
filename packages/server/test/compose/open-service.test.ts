import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CompositionError } from '../../src/compose/composition-error.ts';
import { openService } from '../../src/compose/open-service.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/domain/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { closeDays } from '../../src/operations/days/days.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-service-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const platform = '{ local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1" } }';

function configOf(store: string, apps: string, platforms = platform): Config {
  const yaml = `
company: acme
store: sqlite:./${store}
platforms: ${platforms}
apps: ${apps}
`;
  const file = join(folder, 'gateway.yaml');
  const loaded = loadConfig({ file, environment: {}, readFile: () => yaml });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

const open = (config: Config) =>
  openService(config, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: silentLog,
    actor: 'test',
    simulator: undefined,
    onDeath: (error) => expect.unreachable(error.message),
  });

test('a service serves the apps of its current file, whatever the store had before', async () => {
  for (const apps of ['[{ name: search }]', '[{ name: tutor }]']) {
    const config = configOf('apps.db', apps);
    const service = await open(config);
    const served = service.registry.apps().filter(({ isEnabled }) => isEnabled);
    expect(served.map(({ name }) => name)).toEqual(config.apps.map(({ name }) => name));
    expect(await service.stop()).toEqual({ unsettledCalls: 0 });
    expect(await service.close()).toBe(true);
  }
});

test('an embedded store has one service, and a rejected one leaves it unchanged', async () => {
  const config = configOf('one.db', '[{ name: search }]');
  const first = await open(config);
  await expect(open(config)).rejects.toThrow('one.db');
  await first.stop();
  await first.close();
  const second = await open(config);
  await second.stop();
  await second.close();
});

test('a failed startup leaves no store open', async () => {
  const apps = '[{ name: search }]';
  const wrong = configOf('wrong.db', apps, '{ local: { kind: simulator } }');
  await expect(open(wrong)).rejects.toThrow(CompositionError);
  const service = await open(configOf('wrong.db', apps));
  await service.stop();
  await service.close();
});

test('operators’ changes inside a service are booked by its one queue', async () => {
  const service = await open(configOf('queue.db', '[{ name: search, dailyBudgetUsd: "1" }]'));
  const all = { app: undefined, day: undefined, picoUsd: undefined };
  expect(await closeDays(service.admin, all)).toMatchObject([{ app: 'search', bookedUsd: '1' }]);
  expect(service.admin.queue).toBe(service.queue);
  await service.stop();
  await service.close();
});

test('a clock that is days away from the store is one warning', async () => {
  const dayMs = 86_400_000;
  const config = configOf('clock.db', '[{ name: search }]');
  const startAt = async (offsetMs: number) => {
    const warnings: string[] = [];
    const clock = { ...systemClock, now: () => systemClock.now() + offsetMs };
    const log = {
      ...silentLog,
      warn: (_facts: object, message: string) => void warnings.push(message),
    };
    const service = await openService(config, {
      ...{ clock, ids: createIds(clock), log, actor: 'test', simulator: undefined },
      onDeath: (error) => expect.unreachable(error.message),
    });
    await service.close();
    return warnings.filter((line) => line.includes('clock'));
  };
  expect(await startAt(0)).toEqual([]);
  expect(await startAt(dayMs)).toEqual([]);
  expect(await startAt(-2 * dayMs)).toEqual([
    expect.stringMatching(/^the system clock is behind the/),
  ]);
  expect(await startAt(4 * dayMs)).toEqual([
    expect.stringMatching(/^the newest record .* is at least 2 days old/),
  ]);
});
