import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRuns, type Runs } from '../../src/calls/runs/runs.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { type Desk, openDesk } from './support/desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

/** Makes a run as the service does. */
async function made(app: string, wanted: Partial<Parameters<Runs['make']>[0]> = {}) {
  const target = { kind: 'sqlite', path: join(desk.folder, 'gateway.db') } as const;
  const store = await openStore({ target, log: silentLog, onDeath: () => undefined });
  const runs = createRuns({ store, clock: systemClock, ids: createIds(systemClock) });
  const nothing = { models: undefined, userId: undefined, label: undefined };
  const parts = { app, parentKeyId: 'k', maxCostPicoUsd: 10n ** 12n, expiresInMs: 60_000 };
  const result = await runs.make({ ...nothing, ...parts, ...wanted });
  await store.close();
  if (result.kind !== 'made') throw new Error(`it came to ${result.kind}`);
  return result.run;
}

test('open runs are listed, and ended by their ids', async () => {
  expect(await desk.records(['runs', 'list'])).toEqual([]);
  const empty = await desk.run(['runs', 'list', '--config', desk.file]);
  expect(empty.out).toEqual(['No open runs.']);
  const first = await made('search', { label: 'night', userId: 'ada', models: ['house-model'] });
  const second = await made('tutor');
  await made('tutor', { expiresInMs: 0 });
  expect(await desk.records(['runs', 'list'])).toMatchObject([{ id: second.id }, { id: first.id }]);
  expect(await desk.records(['runs', 'list', '--app', 'search'])).toEqual([
    {
      ...{ id: first.id, app: 'search', label: 'night', userId: 'ada', parentKeyId: 'k' },
      ...{ models: ['house-model'], maxCostUsd: '1', spentUsd: '0', heldUsd: '0' },
      ...{ remainingUsd: '1', endedAt: null, createdAt: new Date(first.createdAtMs).toISOString() },
      expiresAt: new Date(first.expiresAtMs).toISOString(),
    },
  ]);
  const ended = await desk.record(['runs', 'end', first.id, '--reason', 'it went astray']);
  expect(ended).toMatchObject({ id: first.id, endedAt: expect.stringMatching(/Z$/) });
  expect(await desk.record(['runs', 'end', first.id])).toEqual(ended);
  const { out } = await desk.run(['runs', 'list', '--config', desk.file]);
  expect(out.join('\n')).toMatch(new RegExp(`${second.id} {2}tutor {2}- {2,}\\$1 +\\$0 +\\$0`));
  expect(out).toHaveLength(2);
});

test('an unknown run is rejected', async () => {
  const { code, errors } = await desk.run(['runs', 'end', 'run_none', '--config', desk.file]);
  expect([code, errors.join()]).toEqual([
    1,
    expect.stringMatching(/unknown run run_none; run "runs list" for open runs/),
  ]);
});
