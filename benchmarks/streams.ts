import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { until } from '../harness/until.ts';
import { readPeakBytes, readRunMicros, resetPeak } from './measure.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { median } from './report/rows.ts';
import {
  openWithoutReading,
  readStreams,
  type Streams,
  type StreamsSeen,
} from './streams/reader.ts';
import { type Gateway, type Side, startGateway, startPipe, type Wish } from './streams/sides.ts';
import { stampBytes } from './streams/stamp.ts';

// Measures the gateway's overhead on a stream against a relay that reads no byte; then many streams
// at once, and callers that never read. Load, platform and gateway share the machine's processors.

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
const nonReaders = 100;
/** The aims are documented in `docs/performance.md`. */
const aims = { timesPipe: 1.5, mebibytes: 512, delayMs: 50, growthKibibytes: 64 };

const paced: Wish = { deltas: seconds * perSecond, gapMs: 1_000 / perSecond, characters: 12 };

/** By then code is compiled: some 100,000 deltas of each side, and as many beginnings as follow. */
const warming: Wish = { deltas: 2_500, gapMs: 3, characters: 12 };
const beginning: Wish = { ...warming, deltas: 10 };

const limitMs = 600_000 + seconds * rounds * 30_000;
process.exitCode = (await withScope(limitMs, measure)) ? 0 : 1;

async function measure(scope: Scope): Promise<boolean> {
  const folder = makeDataFolder(scope);
  const upstream = await startServer(scope, { argv: [scriptPath('streams/upstream.ts')] });
  const pipe = await startPipe(scope, folder, upstream.url);
  const inFlight = 2 * (many + nonReaders);
  const gateway = await startGateway(scope, folder, { upstreamUrl: upstream.url, inFlight });
  const isSelected = (name: string) => values.only === '' || values.only === name;
  const passed: boolean[] = [];
  for (const side of [pipe, gateway]) {
    await read(side, warming, 48).all;
    await read(side, beginning, many).all;
  }
  if (isSelected('added')) {
    for (const count of [1, 32, 256]) passed.push(await added(count, pipe, gateway));
  }
  if (isSelected('many')) passed.push(await atOnce(pipe, gateway, upstream.pid));
  if (isSelected('unread')) passed.push(await unread(gateway));
  return !passed.includes(false);
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
  // With few deltas, other work of the process dominates.
  return count < 256 || times <= aims.timesPipe;
}

interface Run {
  readonly seen: StreamsSeen;
  readonly cpuMicrosPerDelta: number;
}

async function run(side: Side, count: number): Promise<Run> {
  const streams = read(side, paced, count);
  const { seen } = streams;
  await until(() => seen.begun >= count);
  const before = { cpu: readRunMicros(side.pid), deltas: seen.deltas };
  // While all streams run, to exclude the other costs of a call.
  await until(() => seen.ended > 0);
  const micros = readRunMicros(side.pid) - before.cpu;
  const cpuMicrosPerDelta = micros / (seen.deltas - before.deltas);
  await streams.all;
  return { seen, cpuMicrosPerDelta };
}

/** Many streams through both: the relay's figures show the remaining capacity of the machine. */
async function atOnce(pipe: Side, gateway: Side, upstreamPid: number): Promise<boolean> {
  const relayed = await runMany(pipe, upstreamPid);
  const run = await runMany(gateway, upstreamPid);
  for (const { name, line } of [relayed, run]) console.log(`  ${name}: ${line}`);
  const times = (run.cpuMicrosPerDelta / relayed.cpuMicrosPerDelta).toFixed(2);
  console.log(`  CPU per delta × ${times}`);
  return run.mebibytes <= aims.mebibytes && run.p99 <= aims.delayMs;
}

async function runMany(side: Side, upstreamPid: number) {
  resetPeak(side.pid);
  await side.collect();
  const wish = { ...paced, deltas: 10 * perSecond };
  const spent = () => [side.pid, upstreamPid, process.pid].map(readRunMicros);
  const before = { spent: spent(), ms: performance.now() };
  const streams = read(side, wish, many);
  await streams.all;
  const lastedMs = performance.now() - before.ms;
  const micros = spent().map((after, index) => after - (before.spent[index] ?? 0));
  const mebibytes = readPeakBytes(side.pid) / 2 ** 20;
  const { loopMs } = await side.collect();
  const { delayMs, runningDelayMs, deltas } = streams.seen;
  // On a busy machine the first stream might end before the last begins: then no delay covers all.
  const areAllSeen = runningDelayMs.count() > 0;
  const judged = areAllSeen ? runningDelayMs : delayMs;
  const [p50, p99] = [judged.quantileMs(0.5), judged.quantileMs(0.99)];
  const when = areAllSeen ? 'while all run' : 'though never all ran at once';
  const cpuMicrosPerDelta = (micros[0] ?? 0) / deltas;
  const shares = micros.map((one) => (one / 10 / lastedMs).toFixed(0));
  const line =
    `${many} streams of ${perSecond} deltas a second at once: ${mebibytes.toFixed(0)} MiB at the ` +
    `most; delay of a delta p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms ${when} ` +
    `(p99 ${delayMs.quantileMs(0.99).toFixed(1)} with beginnings and ends); its event loop late by p99 ${loopMs.toFixed(1)} ms; ` +
    `${((deltas / lastedMs) * 1_000).toFixed(0)} deltas a second, ` +
    `${cpuMicrosPerDelta.toFixed(1)} µs each; of a core it had ${shares[0]} %, the platform ` +
    `${shares[1]} %, the load ${shares[2]} %`;
  return { name: side.name, line, mebibytes, p99, cpuMicrosPerDelta };
}

function read(side: Side, wish: Wish, count: number): Streams {
  return readStreams({ target: side.target(wish), deltas: wish.deltas }, count);
}

/**
 * Measures the memory for each caller that does not read a long stream. Excluded are the memory for
 * a caller that reads, and the text of the response so far. That text is stored once, since the
 * last event repeats it. On a loopback with segments of 64 KiB, the system buffers some megabytes
 * before it blocks.
 */
async function unread(gateway: Gateway): Promise<boolean> {
  const kibibytes = (bytes: number) => bytes / nonReaders / 1_024;
  const memoryBytes = async () => (await gateway.collect()).memoryBytes;
  const empty = await memoryBytes();
  const readers = read(gateway, { deltas: 200, gapMs: 100, characters: 12 }, nonReaders);
  await sleep(10_000);
  const open = kibibytes((await memoryBytes()) - empty);
  await readers.all;
  await sleep(5_000);
  const wish = { deltas: 3_000, gapMs: 0, characters: 2_000 };
  const before = await memoryBytes();
  const target = gateway.target(wish);
  const sockets = Array.from({ length: nonReaders }, () => openWithoutReading(target));
  const perStream = kibibytes((await settled(memoryBytes)) - before);
  for (const socket of sockets) socket.destroy();
  await sleep(5_000);
  const text = kibibytes(gateway.abandonedDeltas() * (wish.characters + stampBytes));
  const beyond = perStream - text - open;
  console.log(
    `${nonReaders} callers that never read: ${beyond.toFixed(1)} KiB each beyond the ` +
      `${open.toFixed(1)} KiB of an open stream, and the ${text.toFixed(0)} KiB of text that ` +
      'were sent',
  );
  return beyond <= aims.growthKibibytes;
}

/** A figure once it is stable: by then everything that receivers accept has been written. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = 0;
  for (let now = await read(); ; now = await read()) {
    if (Math.abs(now - last) < last / 200) return now;
    last = now;
    await sleep(5_000);
  }
}
