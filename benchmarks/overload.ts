import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { defaultLimits } from '../packages/contract/src/limits.ts';
import { type Callers, createCallers, type Seen } from './load/callers.ts';
import { createHistogram } from './load/histogram.ts';
import { readPeakBytes } from './measure.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';

// Sends more than the gateway's capacity. Measures its responses at capacity, then at five times
// that for a minute, and its recovery time, without a pause between. Also measures the memory of
// 5,000 calls in flight. With the defaults the permits are the bottleneck, not the processor, which
// the load and the platform share: 2,000 permits and calls of 8 s are 250 calls a second.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    'in-flight': { type: 'string', default: String(defaultLimits.inFlight) },
    'upstream-ms': { type: 'string', default: '8000' },
    calls: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(values.seconds);
const inFlight = Number(values['in-flight']);
const upstreamMs = Number(values['upstream-ms']);
const heldCalls = Number(values.calls);
/** The capacity of so many permits with such an upstream. */
const capacity = (inFlight * 1_000) / upstreamMs;
const peakMs = 10_000;
/** For the requests that will be rejected. */
const spareConnections = 200;
/** A call that exceeds the upstream's time by this was slowed down. */
const slowedMs = 500;
/** The aims are documented in `docs/reliability.md`. */
const aims = { goodputShare: 0.9, recoveryMs: 5_000, mebibytes: 512e6 / 2 ** 20 };
const afterMs = 2 * aims.recoveryMs;

const limitMs = (seconds + 300) * 1_000 + 10 * upstreamMs;
process.exitCode = (await withScope(limitMs, measure)) ? 0 : 1;

async function measure(scope: Scope): Promise<boolean> {
  const folder = makeDataFolder(scope);
  let isReached = true;
  if (values.only !== 'memory') isReached = await overload(scope, join(folder, 'overload'));
  if (values.only === 'overload') return isReached;
  for (const characters of [300, 8_000]) {
    const mebibytes = await hold(scope, join(folder, `${characters}`), characters);
    // With long prompts, most of the memory is the prompts themselves.
    if (characters === 300) isReached &&= mebibytes < aims.mebibytes;
  }
  return isReached;
}

async function overload(scope: Scope, folder: string): Promise<boolean> {
  const { callers } = await start(scope, folder, { inFlight, upstreamMs, characters: 300 });
  await callers.open(spareConnections);
  // Responses to its first calls arrive when all permits are taken.
  const atCapacity = await callers.atRate(capacity, upstreamMs + peakMs);
  const flood = await callers.atRate(capacity * 5, seconds * 1_000);
  const after = await callers.atRate(capacity * 0.8, afterMs);
  const [before, flooded, recovering] = await Promise.all([atCapacity.all, flood.all, after.all]);
  callers.close();

  const seen = [...before, ...flooded, ...recovering];
  const peakFromMs = atCapacity.startedAtMs + upstreamMs;
  const peak = goodPerSecond(seen, peakFromMs, atCapacity.endedAtMs);
  const good = goodPerSecond(seen, flood.startedAtMs, flood.endedAtMs);
  const offered = (flooded.length / (flood.endedAtMs - flood.startedAtMs)) * 1_000;
  const refusals = createHistogram();
  for (const { status, tookMs } of flooded) if (status === 429) refusals.add(tookMs);
  const disturbed = recovering.filter(
    ({ status, tookMs }) => status !== 200 || tookMs > upstreamMs + slowedMs,
  );
  const sentMs = disturbed.map(({ sentAtMs }) => sentAtMs - flood.endedAtMs);
  const recoveryMs = Math.max(0, ...sentMs);
  const isRecovered = recoveryMs <= aims.recoveryMs;
  console.log(
    `${inFlight} places, ${upstreamMs / 1_000} s a call: at capacity, ${capacity.toFixed(0)} ` +
      `calls/s, ${peak.toFixed(0)} answered a second; ${seconds} s at ${offered.toFixed(0)} ` +
      `calls/s: ${good.toFixed(0)} answered (${percent(good / peak)} of the peak), ` +
      `${refusals.count()} refused, p50 ${refusals.quantileMs(0.5).toFixed(1)} ms, ` +
      `p99 ${refusals.quantileMs(0.99).toFixed(1)} ms, ${othersOf(seen)}; ` +
      `as before ${isRecovered ? '' : 'NOT '}within ${aims.recoveryMs / 1_000} s: the last call ` +
      `that was refused or slowed down was sent ${(recoveryMs / 1_000).toFixed(1)} s after it`,
  );
  return good >= aims.goodputShare * peak && isRecovered && isFree(seen);
}

/** Calls that all wait for a slow platform; returns the peak memory of the process. */
async function hold(scope: Scope, folder: string, characters: number): Promise<number> {
  const of = { inFlight: heldCalls, upstreamMs: 15_000, characters };
  const { callers, pid } = await start(scope, folder, of);
  await callers.open(heldCalls);
  const held = callers.atOnce(heldCalls);
  const seen = await held.all;
  callers.close();
  const good = seen.filter(({ status }) => status === 200).length;
  const mebibytes = Math.round(readPeakBytes(pid) / 2 ** 20);
  console.log(
    `${heldCalls} calls in flight with prompts of ${characters} characters: ` +
      `${mebibytes} MiB at the most, ${good} answered, ${othersOf(seen)}`,
  );
  return isFree(seen) ? mebibytes : Number.POSITIVE_INFINITY;
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

/** Good responses between two times. */
function goodPerSecond(seen: readonly Seen[], fromMs: number, untilMs: number): number {
  const good = seen.filter(
    ({ status, answeredAtMs }) =>
      status === 200 && answeredAtMs >= fromMs && answeredAtMs < untilMs,
  );
  return (good.length / (untilMs - fromMs)) * 1_000;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function isFree(seen: readonly Seen[]): boolean {
  return seen.every(({ status }) => status === 200 || status === 429);
}

/** Responses that are neither good nor rejections: none are expected. */
function othersOf(seen: readonly Seen[]): string {
  const others = seen.filter(({ status }) => status !== 200 && status !== 429);
  const kinds = Map.groupBy(others, ({ status, text }) => `${status} ${text.slice(0, 120)}`);
  const [most] = [...kinds].sort(([, a], [, b]) => b.length - a.length);
  if (most === undefined) return 'no others';
  return `${others.length} others (${most[1].length} times ${most[0]})`;
}
