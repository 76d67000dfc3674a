import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Target } from './load/job.ts';
import { forgetPeak, readPeakBytes, readRunMicros } from './measure.ts';
import { scriptPath, startServer } from './processes/child.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { type Scope, withScope } from './processes/scope.ts';
import { median } from './report/rows.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';
import { benchModel } from './sides/side.ts';
import { logFileOf } from './sides/start-gateway.ts';
import { askAndNeverRead, readStreams, type Streams, type StreamsSeen } from './streams/reader.ts';
import { stampBytes } from './streams/stamp.ts';

// What the gateway adds to a stream, beside a relay that looks at no byte; then many streams at
// once, and callers that never read. Load, platform and gateway share the machine's processors.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    many: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const many = Number(values.many);
const perSecond = 30;
const neverReading = 100;
/** What is aimed at: `docs/performance.md`. */
const aims = { timesPipe: 1.5, mebibytes: 512, delayMs: 50, growthKibibytes: 64 };

interface Side {
  readonly name: string;
  readonly pid: number;
  target(wish: Wish): Target;
}

interface Gateway extends Side {
  /** What it keeps in memory, without garbage. */
  keptBytes(): Promise<number>;
  /** How many deltas have gone to sockets of callers that have left, by its log. */
  leftDeltas(): number;
}

/** What the platform is asked for: see `streams/upstream.ts`. */
interface Wish {
  readonly deltas: number;
  readonly gapMs: number;
  readonly characters: number;
}

const paced: Wish = { deltas: seconds * perSecond, gapMs: 1_000 / perSecond, characters: 12 };

const limitMs = 600_000 + seconds * rounds * 30_000;
process.exitCode = (await withScope(limitMs, measure)) ? 0 : 1;

async function measure(scope: Scope): Promise<boolean> {
  const folder = makeDataFolder(scope);
  const upstream = await startServer(scope, { argv: [scriptPath('streams/upstream.ts')] });
  const pipe = await startPipe(scope, upstream.url);
  const gateway = await startGateway(scope, folder, upstream.url);
  const isAsked = (name: string) => values.only === '' || values.only === name;
  const kept: boolean[] = [];
  // Both have compiled their code before anything is counted.
  for (const side of [pipe, gateway]) await read(side, paced, 32).all;
  if (isAsked('added')) {
    for (const count of [1, 32, 256]) kept.push(await added(count, pipe, gateway));
  }
  if (isAsked('many')) kept.push(await atOnce(pipe, gateway));
  if (isAsked('unread')) kept.push(await unread(gateway));
  return !kept.includes(false);
}

/** So many streams through both, in turn. */
async function added(count: number, pipe: Side, gateway: Side): Promise<boolean> {
  const runs: { readonly pipe: Run[]; readonly gateway: Run[] } = { pipe: [], gateway: [] };
  for (let round = 0; round < rounds; round++) {
    runs.pipe.push(await run(pipe, count));
    runs.gateway.push(await run(gateway, count));
  }
  const of = (pick: (run: Run) => number) => ({
    pipe: median(runs.pipe.map(pick)),
    gateway: median(runs.gateway.map(pick)),
  });
  const line = (pick: (seen: StreamsSeen) => { quantileMs(share: number): number }) =>
    [0.5, 0.99]
      .map((share) => {
        const both = of((one) => pick(one.seen).quantileMs(share));
        const more = both.gateway - both.pipe;
        const [pipe, gateway] = [both.pipe.toFixed(2), both.gateway.toFixed(2)];
        return `p${share * 100} + ${more.toFixed(2)} ms (${pipe} → ${gateway})`;
      })
      .join(', ');
  const cpu = of((one) => one.cpuMicrosPerDelta);
  const times = cpu.gateway / cpu.pipe;
  console.log(
    `${count} streams of ${perSecond} deltas a second\n` +
      `  first content: ${line((seen) => seen.firstMs)}\n` +
      `  gap:           ${line((seen) => seen.gapMs)}\n` +
      `  delay:         ${line((seen) => seen.delayMs)}\n` +
      `  CPU per delta: ${cpu.pipe.toFixed(1)} → ${cpu.gateway.toFixed(1)} µs, × ${times.toFixed(2)}`,
  );
  // Of few deltas most is what the process does besides.
  return count < 256 || times <= aims.timesPipe;
}

interface Run {
  readonly seen: StreamsSeen;
  readonly cpuMicrosPerDelta: number;
}

async function run(side: Side, count: number): Promise<Run> {
  const streams = read(side, paced, count);
  const { seen } = streams;
  while (seen.begun < count) await sleep(5);
  const before = { cpu: readRunMicros(side.pid), deltas: seen.deltas };
  // While all run: what a call costs besides is no part of it.
  while (seen.ended === 0) await sleep(5);
  const micros = readRunMicros(side.pid) - before.cpu;
  const cpuMicrosPerDelta = micros / (seen.deltas - before.deltas);
  await streams.all;
  return { seen, cpuMicrosPerDelta };
}

/** Many through both: what the relay makes of it is what the machine has left to give. */
async function atOnce(pipe: Side, gateway: Side): Promise<boolean> {
  const relayed = await runMany(pipe);
  const run = await runMany(gateway);
  for (const { name, line } of [relayed, run]) console.log(`  ${name}: ${line}`);
  const times = (run.cpuMicrosPerDelta / relayed.cpuMicrosPerDelta).toFixed(2);
  console.log(`  CPU per delta × ${times}`);
  return run.mebibytes <= aims.mebibytes && run.p99 <= aims.delayMs;
}

async function runMany(side: Side) {
  forgetPeak(side.pid);
  const wish = { ...paced, deltas: 10 * perSecond };
  const before = { cpu: readRunMicros(side.pid), ms: performance.now() };
  const streams = read(side, wish, many);
  await streams.all;
  const lastedMs = performance.now() - before.ms;
  const micros = readRunMicros(side.pid) - before.cpu;
  const { delayMs, deltas } = streams.seen;
  const mebibytes = readPeakBytes(side.pid) / 2 ** 20;
  const [p50, p99] = [delayMs.quantileMs(0.5), delayMs.quantileMs(0.99)];
  const cpuMicrosPerDelta = micros / deltas;
  const line =
    `${many} streams of ${perSecond} deltas a second at once: ${mebibytes.toFixed(0)} MiB at the ` +
    `most; delay of a delta p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms; ` +
    `${((deltas / lastedMs) * 1_000).toFixed(0)} deltas a second, ` +
    `${cpuMicrosPerDelta.toFixed(1)} µs each, ${(micros / 10 / lastedMs).toFixed(0)} % of a core`;
  return { name: side.name, line, mebibytes, p99, cpuMicrosPerDelta };
}

function read(side: Side, wish: Wish, count: number): Streams {
  return readStreams({ target: side.target(wish), deltas: wish.deltas }, count);
}

/**
 * What the process keeps for each caller that reads nothing of a long stream, beyond the text of
 * its answer so far: that is kept once, since the last event repeats it. On a loopback, with
 * segments of 64 KiB, the system takes some megabytes of it before it takes no more.
 */
async function unread(gateway: Gateway): Promise<boolean> {
  const wish = { deltas: 3_000, gapMs: 0, characters: 2_000 };
  const before = await gateway.keptBytes();
  const target = gateway.target(wish);
  const sockets = Array.from({ length: neverReading }, () => askAndNeverRead(target));
  const kept = (await settled(gateway.keptBytes)) - before;
  for (const socket of sockets) socket.destroy();
  await sleep(5_000);
  const kibibytes = (bytes: number) => bytes / neverReading / 1_024;
  const text = kibibytes(gateway.leftDeltas() * (wish.characters + stampBytes));
  const beyond = kibibytes(kept) - text;
  console.log(
    `${neverReading} callers that never read: ${beyond.toFixed(1)} KiB each beyond the ` +
      `${text.toFixed(0)} KiB of text that they were told`,
  );
  return beyond <= aims.growthKibibytes;
}

/** A figure once it stands still: as much as anybody takes in has been written by then. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = 0;
  for (let now = await read(); ; now = await read()) {
    if (Math.abs(now - last) < last / 200) return now;
    last = now;
    await sleep(5_000);
  }
}

async function startPipe(scope: Scope, upstreamUrl: string): Promise<Side> {
  const argv = [scriptPath('streams/pipe.ts'), upstreamUrl];
  const { pid, url } = await startServer(scope, { argv });
  return {
    ...{ name: 'pipe', pid },
    target: (wish) => ({ url, path: '/v1/chat/completions', headers: {}, body: bodyOf(wish) }),
  };
}

async function startGateway(scope: Scope, parent: string, upstreamUrl: string): Promise<Gateway> {
  const folder = join(parent, 'gateway');
  mkdirSync(folder);
  const keptFile = join(folder, 'kept');
  const limits = { inFlight: 2 * (many + neverReading) };
  // None that never reads is to count as left.
  const streams = { ...limits, stallMs: 300_000 };
  const setting = {
    ...{ upstreamUrl, folder, limits, more: { streaming: true, streams } },
    nodeOptions: ['--expose-gc', '--import', scriptPath('streams/collect.ts')],
    environment: { BENCH_KEPT_FILE: keptFile },
  };
  const { pid, target } = await gatewayOnSqlite.start(scope, setting);
  if (pid === undefined) throw new Error('the gateway has a process');
  return {
    ...{ name: 'gateway', pid },
    target: (wish) => ({ ...target(''), path: '/v1/chat/stream', body: bodyOf(wish) }),
    async keptBytes() {
      rmSync(keptFile, { force: true });
      process.kill(pid, 'SIGUSR2');
      while (!existsSync(keptFile)) await sleep(50);
      await sleep(50);
      return Number(readFileSync(keptFile, 'utf8'));
    },
    leftDeltas() {
      const log = readFileSync(logFileOf(setting), 'utf8');
      const left = Array.from(log.matchAll(/"deltas":(\d+),"end":"left"/g), ([, deltas]) => deltas);
      return left.reduce((sum, deltas) => sum + Number(deltas), 0);
    },
  };
}

/** The same body for both: the platform reads nothing of it but the last text. */
function bodyOf(wish: Wish): string {
  const messages = [{ role: 'user', content: JSON.stringify(wish) }];
  return JSON.stringify({ model: benchModel, maxTokens: 16_384, messages });
}
