import { loadavg } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { openBodyReaders } from '../packages/server/test/linear/body-readers.ts';
import { fileReaders } from '../packages/server/test/linear/file-readers.ts';
import { platformReaders } from '../packages/server/test/linear/platform-readers.ts';
import type { Reader } from '../packages/server/test/linear/reader.ts';
import { floorMs, type Growth, growthMax, measureGrowth } from './linear/growth.ts';
import { packetRows } from './linear/packets.ts';
import type { LinearRow, RunningService } from './linear/row.ts';
import { readRunMicros } from './measure.ts';
import { adminUrlIn } from './processes/admin-url.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';
import type { Setting } from './sides/side.ts';
import { logFileOf } from './sides/start-gateway.ts';

// Proves that every reader of outside bytes takes linear time. Each reader gets many shapes at
// three lengths, in this process. Packets have limited length; they go to a service and have a
// limit of CPU time. Each figure is the cheapest of its runs, to judge the code and not the
// machine. The exit code is 1 if an input misses its limit.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '9' },
  },
});
const runs = Number(values.runs);
const pattern = new RegExp(values.only);
const limitMs = 1_800_000;

const readerMisses = await proveReaders();
const packetMisses = await withScope(limitMs, provePackets);
const [load = Number.NaN] = loadavg();
console.log(
  `${readerMisses + packetMisses} misses; cheapest of up to ${runs} runs; load ${load.toFixed(1)}`,
);
process.exitCode = readerMisses + packetMisses === 0 ? 0 : 1;

async function proveReaders(): Promise<number> {
  const bodies = await openBodyReaders();
  const readers = [...fileReaders(), ...platformReaders(), ...bodies.readers];
  console.log(`growth per doubling, at most ${growthMax} where the longer costs ${floorMs} ms`);
  let misses = 0;
  for (const reader of readers.filter(({ name }) => pattern.test(name))) {
    misses += await proveReader(reader);
  }
  await bodies.close();
  return misses;
}

async function proveReader(reader: Reader): Promise<number> {
  const growths: Growth[] = [];
  const before = process.cpuUsage();
  for (const shape of Object.entries(reader.shapes)) {
    growths.push(await measureGrowth(reader, shape, runs));
  }
  const misses = growths.filter(({ isMiss }) => isMiss);
  const most = Math.max(...growths.map(({ growth }) => growth));
  const longest = Math.max(...growths.map(({ ms }) => ms[2]));
  const { user, system } = process.cpuUsage(before);
  const figures = `growth ${most.toFixed(2)}, ${longest.toFixed(0)} ms`;
  const spent = `${((user + system) / 1_000_000).toFixed(0)} s in all`;
  console.log(`${reader.name}: ${growths.length} shapes, ${figures}, ${spent}`);
  for (const { shape, ms } of misses) {
    console.log(`  MISS ${shape}: ${ms.map((one) => one.toFixed(1)).join(', ')} ms`);
  }
  return misses.length;
}

async function provePackets(scope: Scope): Promise<number> {
  const rows = packetRows().filter(({ name }) => pattern.test(name));
  if (rows.length === 0) return 0;
  const service = await start(scope);
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(`${'packet'.padEnd(width)}  CPU ms  limit`);
  let misses = 0;
  for (const row of rows) {
    const ms = await row.measure(service, runs);
    const isMiss = !(ms <= row.atMostMs);
    if (isMiss) misses += 1;
    console.log(lineOf(row, ms, width) + (isMiss ? '  MISS' : ''));
  }
  return misses;
}

function lineOf({ name, atMostMs }: LinearRow, ms: number, width: number): string {
  return `${name.padEnd(width)}  ${ms.toFixed(1).padStart(6)}  ${String(atMostMs).padStart(5)}`;
}

/** With every API format, streams and embeddings, so rows reach all readers of bodies. */
async function start(scope: Scope): Promise<RunningService> {
  const folder = makeDataFolder(scope);
  const upstream = await startServer(scope, { argv: [scriptPath('upstream.ts')] });
  const more = { ingress: { openai: true, anthropic: true }, streaming: true };
  const setting: Setting = { upstreamUrl: upstream.url, folder, more, operation: 'embeddings' };
  const { pid, target } = await gatewayOnSqlite.start(scope, setting);
  const { url, headers } = target('hello');
  const key = headers['x-api-key'];
  if (pid === undefined || key === undefined)
    throw new Error('the service has a process and a key');
  const adminUrl = await adminUrlIn(logFileOf(setting));
  return { url, adminUrl, key, cpuMs: () => readRunMicros(pid) / 1_000 };
}
