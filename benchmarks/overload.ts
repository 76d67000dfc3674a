import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type Callers, createCallers, type Seen } from './load/callers.ts';
import { createHistogram } from './load/histogram.ts';
import { readPeakBytes } from './measure.ts';
import { scriptPath, startServer } from './processes/child.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { type Scope, withScope } from './processes/scope.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';

// More than the gateway takes: first what it does at its capacity, then five times that for a
// minute, then how soon it is as before. And the memory of 5,000 calls in flight.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    'in-flight': { type: 'string', default: '200' },
    'upstream-ms': { type: 'string', default: '500' },
    calls: { type: 'string', default: '5000' },
  },
});
const seconds = Number(values.seconds);
const inFlight = Number(values['in-flight']);
const upstreamMs = Number(values['upstream-ms']);
const heldCalls = Number(values.calls);
/** What so many places and such an upstream allow. */
const capacity = (inFlight * 1_000) / upstreamMs;
const recoveryMsMax = 5_000;

await withScope((seconds + 300) * 1_000, async (scope) => {
  const folder = makeDataFolder(scope);
  await overload(scope, join(folder, 'overload'));
  for (const characters of [300, 8_000])
    await hold(scope, join(folder, `${characters}`), characters);
});

async function overload(scope: Scope, folder: string) {
  const { callers } = await start(scope, folder, { inFlight, upstreamMs, characters: 300 });
  await callers.atRate(capacity * 0.8, 3_000);
  const peakPerSecond = goodPerSecond(await callers.atRate(capacity, 10_000), 10_000);
  const flood = await callers.atRate(capacity * 5, seconds * 1_000);
  const endedAtMs = performance.now();
  const after = await callers.atRate(capacity * 0.8, recoveryMsMax);
  callers.close();

  const good = goodPerSecond(flood, seconds * 1_000);
  const refusals = createHistogram();
  for (const { status, tookMs } of flood) if (status === 429) refusals.add(tookMs);
  const lastRefusedMs = Math.max(
    endedAtMs,
    ...after.filter(({ status }) => status !== 200).map(({ answeredAtMs }) => answeredAtMs),
  );
  console.log(
    `at capacity: ${peakPerSecond.toFixed(0)} calls/s answered; ` +
      `${seconds} s at ${capacity * 5} calls/s: ${good.toFixed(0)} answered ` +
      `(${((good / peakPerSecond) * 100).toFixed(1)} % of the peak), ` +
      `${refusals.count()} refused, p50 ${refusals.quantileMs(0.5).toFixed(1)} ms, ` +
      `p99 ${refusals.quantileMs(0.99).toFixed(1)} ms, ${othersOf(flood)}; ` +
      `as before after ${((lastRefusedMs - endedAtMs) / 1_000).toFixed(1)} s`,
  );
}

/** Calls that all wait for a slow platform: the most memory that the process had. */
async function hold(scope: Scope, folder: string, characters: number) {
  const of = { inFlight: heldCalls, upstreamMs: 15_000, characters };
  const { callers, pid } = await start(scope, folder, of);
  const held = callers.atOnce(heldCalls);
  const seen = await held.all;
  callers.close();
  const good = seen.filter(({ status }) => status === 200).length;
  const mebibytes = Math.round(readPeakBytes(pid) / 2 ** 20);
  console.log(
    `${heldCalls} calls in flight with prompts of ${characters} characters: ` +
      `${mebibytes} MiB at the most, ${good} answered, ${othersOf(seen)}`,
  );
}

async function start(
  scope: Scope,
  folder: string,
  of: { readonly inFlight: number; readonly upstreamMs: number; readonly characters: number },
): Promise<{ readonly callers: Callers; readonly pid: number }> {
  mkdirSync(folder, { recursive: true });
  const upstream = await startServer(scope, {
    argv: [scriptPath('upstream.ts'), '--delay-ms', String(of.upstreamMs)],
  });
  const limits = { inFlight: of.inFlight };
  const running = await gatewayOnSqlite.start(scope, { upstreamUrl: upstream.url, folder, limits });
  const target = running.target('a'.repeat(of.characters));
  if (running.pid === undefined) throw new Error('the gateway has a process');
  const callers = createCallers(target);
  scope.add(async () => callers.close());
  return { callers, pid: running.pid };
}

function goodPerSecond(seen: readonly Seen[], lastedMs: number): number {
  return (seen.filter(({ status }) => status === 200).length / lastedMs) * 1_000;
}

/** Answers that are neither good nor refusals: there should be none. */
function othersOf(seen: readonly Seen[]): string {
  const others = seen.filter(({ status }) => status !== 200 && status !== 429);
  const kinds = Map.groupBy(others, ({ status, said }) => `${status} ${said.slice(0, 120)}`);
  const [most] = [...kinds].sort(([, a], [, b]) => b.length - a.length);
  if (most === undefined) return 'no others';
  return `${others.length} others (${most[1].length} times ${most[0]})`;
}
