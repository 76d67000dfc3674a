import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { adminUrlIn } from './processes/admin-url.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { soakApps, soakConfiguration } from './soak/configuration.ts';
import { commandsOf, createKeys } from './soak/keys.ts';
import { createTally, runMix } from './soak/load.ts';
import { growthLine, sampleHead, sampleLine } from './soak/print.ts';
import { readSample, type Sample } from './soak/sample.ts';
import { growthOf } from './soak/verdict.ts';

// Runs the service with everything that it does and rejects, for minutes or for hours. Checks
// whether memory, descriptors, threads and open reservations grow after the first quarter. The
// records of calls on the disk grow by design; they are printed next to these.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    store: { type: 'string', default: 'sqlite' },
    'calls-per-second': { type: 'string', default: '60' },
    'sample-seconds': { type: 'string', default: '5' },
    'rotate-seconds': { type: 'string', default: '30' },
  },
});
const lastsMs = Number(values.minutes) * 60_000;
/** A quarter: caches fill, code is compiled, pools reach their size. */
const settlingMs = lastsMs / 4;
const sampleMs = Number(values['sample-seconds']) * 1_000;
const rotateMs = Number(values['rotate-seconds']) * 1_000;
const callsPerSecond = Number(values['calls-per-second']);
/** A little more than the gateway's own limit. */
const answersMs = 4_000;
/**
 * This long after the last request, everything has ended: a detached call, two sweeps, and retained
 * metrics.
 */
const restMs = 20_000;

process.exitCode = (await withScope(lastsMs + 300_000, soak)) ? 0 : 1;

async function soak(scope: Scope): Promise<boolean> {
  const { service, adminUrl, command, database } = await start(scope);
  const keys = await createKeys(command, answersMs);
  const tally = createTally();
  const startedMs = performance.now();
  const sample = () => {
    const atMs = performance.now() - startedMs;
    return readSample({ pid: service.pid, adminUrl, database, atMs });
  };
  let isOver = false;
  const load = runMix({
    ...{ url: service.url, callsPerSecond, runningMax: 500, lastsMs, tally },
    keyOf: ({ app }) => (app === 'nobody' ? `mgk_${'0'.repeat(40)}` : keys.of(app)),
  }).finally(() => {
    isOver = true;
  });
  const rotations = rotate();
  const samples: Sample[] = [];
  console.log(sampleHead());
  for (let dueMs = sampleMs; !isOver && dueMs < lastsMs; dueMs += sampleMs) {
    await sleep(Math.max(0, startedMs + dueMs - performance.now()));
    const current = await sample();
    samples.push(current);
    console.log(sampleLine(current));
  }
  await Promise.all([load, rotations]);
  await sleep(restMs);
  const last = await sample();
  console.log(`${sampleLine(last)}  after ${restMs / 1_000} s of rest`);
  const audited = await command(['audit']).catch((error: unknown) => ({ clean: String(error) }));

  const growth = growthOf(samples.filter(({ atMs }) => atMs >= settlingMs));
  for (const line of growth) console.log(growthLine(line));
  for (const [name, count] of [...tally.answered].sort()) console.log(`  ${count} × ${name}`);
  const isClean = JSON.stringify(audited).startsWith('{"clean":true');
  const rest = last.openHolds + last.drains + last.runningCalls + last.inFlight;
  console.log(
    `${values.minutes} minutes on ${values.store}: ${tally.sent} requests, ` +
      `${tally.unexpectedCount} answered otherwise than they should be, ` +
      `${keys.rotations()} keys rotated; ${rest} holds, drains or requests left at the end; ` +
      `audit ${isClean ? 'clean' : 'NOT CLEAN'}`,
  );
  for (const line of tally.unexpected) console.log(`  unexpected: ${line}`);
  const hasGrown = growth.some(({ isWithin }) => !isWithin);
  return !hasGrown && tally.unexpectedCount === 0 && rest === 0 && isClean;

  async function rotate() {
    for (let turn = 0; !isOver; turn++) {
      await sleep(rotateMs);
      const app = soakApps[turn % soakApps.length];
      if (!isOver && app !== undefined) await keys.rotate(app);
    }
  }
}

async function start(scope: Scope) {
  const folder = makeDataFolder(scope);
  const launcher = scriptPath('../packages/server/bin/model-gateway.js');
  const config = join(folder, 'gateway.json');
  const logFile = join(folder, 'gateway.log');
  // A separate process: its bill of every call grows, and must not count as the service's memory.
  const simulator = await startServer(scope, { argv: [launcher, 'simulator', '--port', '0'] });
  const database = values.store === 'sqlite' ? join(folder, 'gateway.db') : undefined;
  const store = database === undefined ? await openPostgres(scope) : `sqlite:${database}`;
  writeFileSync(config, JSON.stringify(soakConfiguration({ simulatorUrl: simulator.url, store })));
  const argv = [launcher, 'serve', '--config', config];
  const service = await startServer(scope, { argv, logFile });
  const adminUrl = await adminUrlIn(logFile);
  return { service, adminUrl, command: commandsOf(launcher, config), database };
}

async function openPostgres(scope: Scope): Promise<string> {
  if (values.store !== 'postgres') throw new Error('--store is sqlite or postgres');
  const server = await startOwnPostgres();
  scope.add(() => server.close());
  return server.database();
}
