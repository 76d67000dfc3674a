import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { bodyRows } from './linear/bodies.ts';
import { packetRows } from './linear/packets.ts';
import type { LinearRow, RunningService } from './linear/row.ts';
import { readRunMicros } from './measure.ts';
import { adminUrlIn } from './processes/admin-url.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';
import type { Setting } from './sides/side.ts';
import { logFileOf } from './sides/start-gateway.ts';

// The CPU time that a service takes for one expensive input. Each row is the cheapest of its runs:
// it judges the code, not the machine. The exit code is 1 if a row costs more than it may.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '9' },
  },
});
const runs = Number(values.runs);
const pattern = new RegExp(values.only);
const rows = [...packetRows(), ...bodyRows()].filter(({ name }) => pattern.test(name));
const limitMs = 1_800_000;

process.exitCode = (await withScope(limitMs, prove)) ? 0 : 1;

async function prove(scope: Scope): Promise<boolean> {
  const service = await start(scope);
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(`${'input'.padEnd(width)}  CPU ms  limit`);
  let misses = 0;
  for (const row of rows) {
    const ms = await row.measure(service, runs);
    const isMiss = !(ms <= row.atMostMs);
    if (isMiss) misses += 1;
    console.log(lineOf(row, ms, width) + (isMiss ? '  MISS' : ''));
  }
  console.log(`${rows.length} inputs, ${misses} above their limit; cheapest of ${runs} runs`);
  return misses === 0;
}

function lineOf({ name, atMostMs }: LinearRow, ms: number, width: number): string {
  return `${name.padEnd(width)}  ${ms.toFixed(1).padStart(6)}  ${String(atMostMs).padStart(5)}`;
}

/** With every API format, streams and embeddings, so rows can reach all readers of bodies. */
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
