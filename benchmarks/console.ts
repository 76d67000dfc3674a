import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { configuration } from '../checks/console/configuration.ts';
import { fillHouse } from '../checks/console/filling/fill-house.ts';
import { type House, openHouse, type StoreKind } from '../checks/console/house.ts';
import { type Scope, withScope } from '../harness/scope.ts';
import { startCommand } from '../harness/server.ts';
import { issueToken } from '../packages/server/src/operations/access/tokens.ts';
import { issueKey } from '../packages/server/src/operations/keys/keys.ts';
import type { ViewerJob } from './console/viewers.ts';
import { type Generator, startGenerator } from './load/generator.ts';
import type { LoadJob, LoadResult, Pace } from './load/job.ts';
import { expectedText } from './load/operation.ts';
import { scriptPath } from './processes/script-path.ts';

// Measures how much open consoles and reports slow callers down. 32 callers run without them, with
// open consoles, with one report after the other, and with both, in alternating rounds. Callers
// have a process, consoles another. The service, its store and the simulator are here, on a million
// calls.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    store: { type: 'string', default: 'both' },
    consoles: { type: 'string', default: '30' },
    // Without a rate each caller waits for its response; with one, so many calls a second are sent.
    rate: { type: 'string' },
  },
});
const callers = 32;
const open = Number(values.consoles);
const audiences = [
  undefined,
  { consoles: open, hasReports: false },
  { consoles: 0, hasReports: true },
  { consoles: open, hasReports: true },
] as const;
type Audience = (typeof audiences)[number];
const pace: Pace =
  values.rate === undefined
    ? { kind: 'closed', connections: callers }
    : { kind: 'open', callsPerSecond: Number(values.rate), connectionsMax: 256 };

await withScope(1_800_000, async (scope) => {
  const generator = startGenerator(scope);
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (values.store === 'both' || values.store === kind) await measureOn(scope, generator, kind);
  }
});

async function measureOn(scope: Scope, generator: Generator, kind: StoreKind) {
  const plan = { ratePerSecond: 100_000, burst: 100_000, requestsPerDay: 1_000_000_000 };
  const plans = { user: plan, admin: plan };
  const house = await openHouse(scope, { kind, configuration: { ...configuration, plans } });
  await fillHouse(house.service, Number(values.calls));
  const { admin, registry } = house.service;
  const { key } = await issueKey(admin, { app: 'assistant', email: 'bench@acme.example' });
  const access = { role: 'operator', apps: undefined } as const;
  const tokens: string[] = [];
  // A login may have four event streams.
  for (let login = 0; login < Math.ceil(open / 4); login++) {
    tokens.push((await issueToken(admin, { ...access, name: `bench-${login}`, days: 1 })).token);
  }
  await registry.refresh();
  const job = jobOf(house, key);
  await generator.run(job);
  const seen = audiences.map((): LoadResult[] => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, audience] of audiences.entries()) {
      const result = await watchedBy(scope, house, tokens, audience, () => generator.run(job));
      if (result.failures > 0) throw new Error(`a call failed: ${result.firstFailure}`);
      seen[index]?.push(result);
    }
  }
  for (const [index, audience] of audiences.entries()) {
    console.log(`${kind}  ${audienceOf(audience)}: ${figures(seen[index] ?? [], seen[0] ?? [])}`);
  }
}

function jobOf({ url }: House, key: string): LoadJob {
  const messages = [{ role: 'user', content: expectedText }];
  const body = JSON.stringify({ model: 'gpt-5.4-mini', messages, maxTokens: 50 });
  const target = { url, path: '/v1/chat', headers: { 'x-api-key': key }, body };
  const times = { warmUpMs: 500, measureMs: Number(values.seconds) * 1_000 };
  return { target, pace, hasIdempotencyKeys: false, ...times, watchedPids: [] };
}

/** Runs a measurement while consoles are open. */
async function watchedBy(
  scope: Scope,
  { adminUrl }: House,
  tokens: readonly string[],
  audience: Audience,
  run: () => Promise<LoadResult>,
): Promise<LoadResult> {
  if (audience === undefined) return run();
  const viewers = startCommand(scope, { argv: [scriptPath('console/viewers.ts')] });
  const month = new Date().toISOString().slice(0, 7);
  viewers.child.send({ adminUrl, tokens, month, ...audience } satisfies ViewerJob);
  const ended = viewers.ended.then(() => {
    throw new Error('the console readers ended before the callers');
  });
  await Promise.race([sleep(500), ended]);
  const result = await Promise.race([run(), ended]);
  ended.catch(() => undefined);
  await viewers.end();
  return result;
}

function audienceOf(audience: Audience): string {
  if (audience === undefined) return 'alone';
  const { consoles, hasReports } = audience;
  const parts = [
    ...(consoles > 0 ? [`${consoles} consoles are open`] : []),
    ...(hasReports ? ['a report runs'] : []),
  ];
  return parts.join(', ');
}

function figures(results: readonly LoadResult[], alone: readonly LoadResult[]): string {
  const p99 = (of: readonly LoadResult[]) => median(of.map(({ p99Ms }) => p99Ms));
  const p50 = median(results.map(({ p50Ms }) => p50Ms));
  const rateOf = (of: readonly LoadResult[]) =>
    median(of.map(({ calls, seconds }) => calls / seconds));
  const rate = rateOf(results);
  const more = ((p99(results) / p99(alone) - 1) * 100).toFixed(1);
  const fewer = ((1 - rate / rateOf(alone)) * 100).toFixed(1);
  const versus =
    results === alone ? '' : `: p99 ${more} % more, ${fewer} % fewer calls than without consoles`;
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99(results).toFixed(1)} ms, ${rate.toFixed(0)} calls/s${versus}`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
