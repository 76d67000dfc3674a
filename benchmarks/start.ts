import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { readCpuTime } from './measure.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { describeMachine } from './report/machine.ts';
import { median } from './report/rows.ts';
import { commandLines, type Facts, notMeasured } from './start/command-lines.ts';
import { productionBytes } from './start/install-size.ts';
import { readLeaves } from './start/leaves.ts';
import { launcher, prepare } from './start/prepare.ts';
import { spentBy } from './start/spent.ts';

// Measures a command's startup: processor time of its process and all that it starts, compared with
// an idle Node. Each round runs every command once, and an idle Node before every few of them, so
// other work on the machine affects both. It asserts no time.

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, only: { type: 'string', default: '' } },
});
const limitMs = 1_800_000;
const nodeEvery = 6;
const aims: Readonly<Record<string, number>> = { '--version': 3, '--help': 3 };
const otherAim = 8;
const installAim = 130;

/** A command's figures in one round. */
interface Sample {
  readonly cpuMs: number;
  readonly timesNode: number;
}

process.exitCode = await withScope(limitMs, async (scope) => {
  const folder = makeDataFolder(scope);
  const facts = await prepare(scope, folder);
  const named = await readLeaves();
  const missing = named.filter((name) => !(name in commandLines) && !(name in notMeasured));
  if (missing.length > 0) throw new Error(`no words for: ${missing.join(', ')}`);
  const names = ['--version', '--help', ...Object.keys(commandLines)].filter((name) =>
    new RegExp(values.only).test(name),
  );
  const samples = new Map<string, Sample[]>();
  const nodeMs: number[] = [];
  // Round 0 compiles the sources, and is not counted.
  for (let round = 0; round <= Number(values.rounds); round++) {
    const measured = await measureRound(names, { ...facts, round });
    if (round === 0) continue;
    nodeMs.push(measured.nodeMs);
    for (const [name, cpuMs] of measured.cpuMs) {
      const sample = { cpuMs, timesNode: cpuMs / measured.nodeMs };
      samples.set(name, [...(samples.get(name) ?? []), sample]);
    }
  }
  console.log(`${describeMachine(folder)}; node -e 0 ${median(nodeMs).toFixed(0)} ms\n`);
  print(samples);
  for (const command of ['serve', 'simulator'] as const) {
    const readyMs = await untilReady(scope, command, folder);
    const times = (readyMs / median(nodeMs)).toFixed(1);
    console.log(`${command}, until it is ready: ${readyMs} ms, ${times} × node`);
  }
  const bytes = productionBytes();
  console.log(`a production install without Node: ${megabytes(bytes)} MB (aim ${installAim})`);
  for (const [name, why] of Object.entries(notMeasured)) console.log(`not above: ${name}: ${why}`);
  return 0;
});

async function measureRound(names: readonly string[], facts: Facts) {
  const alone: number[] = [];
  const cpuMs = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (index % nodeEvery === 0) alone.push((await spentBy(['-e', '0'], facts.folder)).cpuMs);
    const { words, exitCode = 0 } = commandLines[name] ?? {};
    const line = [launcher, ...name.split(' '), ...(words?.(facts) ?? [])];
    const spent = await spentBy(line, facts.folder);
    if (spent.exitCode !== exitCode) {
      throw new Error(`${name} ended with ${spent.exitCode}: ${spent.errors}`);
    }
    cpuMs.set(name, spent.cpuMs);
  }
  return { nodeMs: median(alone), cpuMs };
}

function print(samples: ReadonlyMap<string, readonly Sample[]>) {
  console.log('| command | ms | × node | aim | |\n|---|--:|--:|--:|---|');
  for (const [name, taken] of samples) {
    const times = median(taken.map(({ timesNode }) => timesNode));
    const ms = median(taken.map(({ cpuMs }) => cpuMs));
    const aim = aims[name] ?? otherAim;
    const verdict = times <= aim ? '' : 'missed';
    console.log(`| \`${name}\` | ${ms.toFixed(0)} | ${times.toFixed(1)} | ${aim} | ${verdict} |`);
  }
}

/** The median of three startups, in steps of 10 ms. */
async function untilReady(scope: Scope, command: string, folder: string): Promise<number> {
  const took: number[] = [];
  for (let start = 0; start < 3; start++) {
    const port = command === 'simulator' ? ['--port', '0'] : [];
    const argv = [launcher, command, '--config', `${folder}/gateway.yaml`, ...port];
    const started = await startServer(scope, { argv, logFile: `${folder}/${command}.log` });
    took.push(readCpuTime(started.pid).totalMicros / 1_000);
    await started.stop();
  }
  return median(took);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
