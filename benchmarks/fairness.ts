import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { type Cores, divideCores } from './fairness/cores.ts';
import { measureVector } from './fairness/measure-vector.ts';
import { prepareSide, type Side, sides } from './fairness/prepare-side.ts';
import { problemLines, rowHead, rowText } from './fairness/row.ts';
import type { Vector } from './fairness/vector.ts';
import { allVectors, defaultVectors, operatorVectors, worstVectors } from './fairness/vectors.ts';
import { bar, isMiss } from './fairness/verdict.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';

// Measures how much capacity one app can take from another. Each row is an attack that stays inside
// its rate limits, and a victim of another app that makes a small call every 150 ms. The attackers
// and the platform have one core, and the service has the others. There the service's own work is
// the bottleneck, as on its own machine. The victim shares the service's cores, since the attackers
// and the platform might use up their core.

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '30' },
    sides: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const pattern = new RegExp(values.only);
const patternOfSides = new RegExp(values.sides);

interface Round {
  readonly side: Side;
  readonly vectors: readonly Vector[];
}

const rounds = roundsOf().filter(({ side, vectors }) => {
  return patternOfSides.test(side.name) && vectors.length > 0;
});
const vectorCount = rounds.reduce((sum, { vectors }) => sum + vectors.length, 0);
/** Startup, a quiet phase, the lead of an attack, and calls that must still end. */
const overheadSeconds = 120;
const limitMs = vectorCount * (seconds + overheadSeconds) * 1_000 + 300_000;

process.exitCode = (await withScope(limitMs, prove)) ? 0 : 1;

function roundsOf(): readonly Round[] {
  const { sqlite, postgres, threads } = sides;
  const others = values.all ? allVectors : worstVectors;
  const ofSqlite = values.all ? allVectors : [...defaultVectors, ...operatorVectors];
  const first = { side: sqlite, vectors: ofSqlite };
  const list = [first, { side: postgres, vectors: others }, { side: threads, vectors: others }];
  return list.map(({ side, vectors }) => {
    return { side, vectors: vectors.filter(({ name }) => pattern.test(name)) };
  });
}

async function prove(scope: Scope): Promise<boolean> {
  const cores = await divideCores();
  console.log(
    `attackers and platform on core ${cores.attack}, service and victim on ${cores.service}; ` +
      `a victim keeps ${bar.answeredShareMin * 100} % of its calls, with a p95 of at most ` +
      `${bar.p95TimesMax} × quiet; ${seconds} s each, times in ms`,
  );
  const folder = makeDataFolder(scope);
  const argv = ['--cpu-list', cores.attack, process.execPath, scriptPath('fairness/platform.ts')];
  const upstream = await startServer(scope, { program: 'taskset', argv });
  let misses = 0;
  for (const round of rounds) {
    misses += await runRound(scope, round, { cores, folder, upstreamUrl: upstream.url });
  }
  console.log(`${vectorCount} attacks, ${misses} missed`);
  return misses === 0 && vectorCount > 0;
}

async function runRound(
  scope: Scope,
  { side, vectors }: Round,
  parts: { readonly cores: Cores; readonly folder: string; readonly upstreamUrl: string },
): Promise<number> {
  const folder = join(parts.folder, side.name.replace(' ', '-'));
  mkdirSync(folder);
  const prepared = await prepareSide(scope, side, { ...parts, folder });
  const width = Math.max(...vectors.map(({ name }) => name.length));
  console.log(`\n${side.name}\n${rowHead(width)}`);
  let misses = 0;
  for (const vector of vectors) {
    const measured = await measureVector(scope, vector, { ...parts, prepared, seconds });
    console.log(rowText(vector.name, width, measured));
    for (const line of problemLines(measured)) console.log(line);
    if (isMiss(measured.quiet, measured.attacked)) misses += 1;
  }
  return misses;
}
