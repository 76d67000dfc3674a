import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { start } from '../../../../harness/process.ts';
import { until } from '../../../../harness/until.ts';
import { systemClock, utcDayOf } from '../../src/lib/clock.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { selectRollupState } from '../../src/store/sums/rollups.ts';
import { count } from '../../test/store/support/books.ts';
import { ownLauncher, type Served, startServed } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import { callers, type Replicas, type Seen } from './replicas.ts';
import { quickRounds } from './support/quick-rounds.ts';
import {
  changeLate,
  expectClean,
  expectReported,
  monthBefore,
  type SeededCall,
  seedCalls,
} from './support/seeded-calls.ts';

const stores = openReplicaStores();

const hourMs = 3_600_000;
const livesMax = 10;
/** Records of one transaction. */
const stepCalls = 500;

test.each(stores.all)(
  'reports equal the ledger while the writer of their rollups is killed, on %s',
  async (_name, open) => {
    const replicas = await open();
    const { store } = replicas;
    const kept = monthBefore(systemClock.now(), 1);
    const old = await seedCalls(store, {
      fromMs: kept - 20 * 24 * hourMs,
      everyMs: 3_000,
      count: 10_000,
    });
    const young = await seedCalls(store, {
      ...{ fromMs: systemClock.now() - 30 * hourMs, everyMs: 15_000, count: 6_000 },
    });
    const world = openWorld(replicas, [...old, ...young]);
    await world.whileChanging(async () => {
      await killWhileRolling(world);
      world.endLate(kept);
      await killWhilePruning(world, utcDayOf(kept));
    });
    await untilRolled(store);
    expect(await leftBefore(store, utcDayOf(kept))).toBe(0);
    await world.look();
    for (const served of world.running) expect(await served.end('SIGTERM')).toBe(0);
    await expectAnswered(world);
    if (store.kind === 'postgres') expect(stores.server().log()).not.toContain('deadlock');
  },
);

type World = ReturnType<typeof openWorld>;

/** Replicas, their callers, and an operator who changes old calls. */
function openWorld(replicas: Replicas, calls: readonly SeededCall[]) {
  const { store, apiKey, folder, databaseUrl } = replicas;
  const seen: Seen = { answered: [], errors: [] };
  const running: Served[] = [];
  const calling: Promise<void>[] = [];
  let isOver = false;
  let isQuiet = false;
  let lateFromMs = 0;
  let busy = 0;
  return { replicas, seen, running, start, look, endLate, whileChanging };

  async function start() {
    const own = { ...quickRounds, MODEL_GATEWAY_STORE: databaseUrl };
    const served = await startServed(['serve'], { cwd: folder, environment: own });
    // On a busy machine this test has priority, so it can kill the process in time.
    const { pid } = served.process;
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    running.push(served);
    const goesOn = () => !isOver && served.process.signalCode === null;
    calling.push(callers({ url: served.url, apiKey, seen, count: 2, goesOn }, () => 'sim-echo'));
  }

  /** Compares the report with the test's own sums while none of its operations runs. */
  async function look() {
    await expectClean(store);
    isQuiet = true;
    await until(() => busy === 0);
    await expectReported(store, calls);
    isQuiet = false;
  }

  /** Ends settlements of months that are over for a day: only such months are pruned. */
  function endLate(beforeMs: number) {
    lateFromMs = beforeMs;
  }

  async function whileChanging(work: () => Promise<void>) {
    const changing = change();
    const leasing = loseLeases();
    try {
      await work();
    } finally {
      isOver = true;
      await Promise.all([changing, leasing, ...calling]);
    }
  }

  async function change() {
    for (let turn = 0; !isOver; turn++) {
      if (!isQuiet) {
        busy += 1;
        await changeLate(store, calls, { turn, lateFromMs }).finally(() => {
          busy -= 1;
        });
      }
      await pause(5);
    }
  }

  /** As if the holders had been killed minutes ago: all work at once, and none waits. */
  async function loseLeases() {
    while (!isOver) {
      await store.write([{ sql: "delete from lease where name = 'rollups'", values: [] }]);
      await pause(20);
    }
  }
}

async function killWhileRolling(world: World) {
  const { store } = world.replicas;
  let kills = 0;
  for (let life = 0; life < livesMax && !(await isRolled(store)); life++) {
    const before = await markOf(store);
    await fill(world);
    await untilMoved(store, before);
    await pause((life * 7) % 23);

    for (const [killed, served] of world.running.splice(0).entries()) {
      // Once, the remaining process continues; otherwise both end at once.
      if (life === 0 && killed > 0) await untilMoved(store, await markOf(store));
      expect(await served.end('SIGKILL')).toBe('SIGKILL');
      kills += 1;
    }
    await world.look();
  }
  expect(kills).toBeGreaterThan(2);
  await fill(world);
  await untilRolled(store);
  await world.look();
}

/** Until rollups exist. */
function untilMoved(store: Store, from: string | undefined) {
  return until(async () => (await isRolled(store)) || (await markOf(store)) !== from);
}

/** The maximum number of replicas on a store. */
async function fill({ replicas, running, start }: World) {
  const missing = (replicas.store.kind === 'sqlite' ? 1 : 2) - running.length;
  await Promise.all(Array.from({ length: missing }, start));
}

async function killWhilePruning(world: World, before: string) {
  const { store, folder, databaseUrl } = world.replicas;
  const words = ['days', 'prune', '--before', before, '--yes'];
  const prune = () => {
    const environment = { MODEL_GATEWAY_STORE: databaseUrl };
    const config = ['--config', join(folder, 'gateway.yaml')];
    const pruning = start(process.execPath, [ownLauncher, ...words, ...config], { environment });
    const { pid } = pruning.child;
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    return pruning;
  };
  let kills = 0;
  for (let left = await leftBefore(store, before); left > stepCalls; ) {
    const pruning = prune();
    const whole = left;
    await until(async () => {
      left = await leftBefore(store, before);
      return left < whole;
    });
    await pause(kills * 3);
    kills += (await pruning.end('SIGKILL')) === 'SIGKILL' ? 1 : 0;
    await world.look();
  }
  expect(kills).toBeGreaterThan(1);
  expect(await prune().ended).toBe(0);
  await world.look();
}

function leftBefore(store: Store, day: string): Promise<number> {
  return count(store, `select count(*) as n from call where day < '${day}'`);
}

/** Every response that a caller received is booked, whatever was killed. */
async function expectAnswered({ seen, replicas }: World) {
  expect(seen.answered.length).toBeGreaterThan(20);
  for (const { id, requestId } of seen.answered) {
    const record = await replicas.store.read(selectCallRecord(id));
    expect(record).toMatchObject({ code: 'OK', upstreamId: requestId });
  }
}

async function markOf(store: Store) {
  return (await store.read(selectRollupState))?.rolledUntil;
}

async function isRolled(store: Store) {
  const state = await store.read(selectRollupState);
  return state !== undefined && state.rolledUntil !== '' && state.rolledUntil === state.closedUntil;
}

function untilRolled(store: Store) {
  return until(() => isRolled(store));
}
