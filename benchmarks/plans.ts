import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Scope, withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { type Connections, createConnections, idleMsMax } from './load/connections.ts';
import { createHistogram } from './load/histogram.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { issueKey } from './sides/issue-key.ts';

// Calls two replicas on one PostgreSQL in turn, at twice the rate limit of one API key. Measures
// the used share of the limit, by rate and by day, and whether it is ever exceeded.

const plan = { ratePerSecond: 50, burst: 100, requestsPerDay: 10_000 };
const app = 'bench';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '220' },
    // More than the gateway's 75 s shows the effect on requests on connections that it has closed.
    'idle-ms': { type: 'string', default: String(idleMsMax) },
  },
});
const seconds = Number(values.seconds);
const idleMs = Number(values['idle-ms']);
/** Initial connections to a replica, and the maximum of requests that wait for it. */
const connectionsMax = 32;
const offeredPerSecond = 2 * plan.ratePerSecond;

/** The number and durations of each kind of response. */
type Counts = Record<'passed' | 'tooMany' | 'limitExceeded' | 'other', number>;

process.exitCode = (await withScope((seconds + 120) * 1_000, measure)) ? 0 : 1;

async function measure(scope: Scope): Promise<boolean> {
  const folder = makeDataFolder(scope);
  const server = await startOwnPostgres();
  scope.add(() => server.close());
  const store = await server.database();
  const config = join(folder, 'gateway.json');
  writeFileSync(config, JSON.stringify(configOf(store)));
  const launcher = scriptPath('../packages/server/bin/model-gateway.js');
  const start = (name: string) =>
    startServer(scope, {
      argv: [launcher, 'serve', '--config', config],
      logFile: join(folder, `${name}.log`),
    });
  const replicas = [await start('one'), await start('two')];
  const key = await issueKey({ launcher, config, app });
  // Every replica accepts a new key within a second.
  await sleep(1_500);
  const { counts, lastedMs, latencies, idleCloses, sentAgain } = await load(
    replicas.map(({ url }) => url),
    key,
  );
  const mayBe = Math.floor(
    Math.min(plan.requestsPerDay, plan.burst + (plan.ratePerSecond * lastedMs) / 1_000),
  );
  const used = ((counts.passed / mayBe) * 100).toFixed(2);
  const offered = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(
    `${(lastedMs / 1_000).toFixed(1)} s, ${offered} requests in turn on two replicas: ` +
      `${counts.passed} passed of ${mayBe} that the plan allows (${used} %), ` +
      `${counts.tooMany} Too Many Requests, ${counts.limitExceeded} Limit Exceeded, ` +
      `${counts.other} others; p50 ${latencies.quantileMs(0.5).toFixed(1)} ms, ` +
      `p99 ${latencies.quantileMs(0.99).toFixed(1)} ms; ` +
      `${idleCloses} connections closed since they had been idle, ` +
      `${sentAgain} requests sent again since theirs was closed`,
  );
  return counts.other === 0 && counts.passed <= mayBe && counts.passed >= 0.98 * mayBe;
}

async function load(urls: readonly string[], key: string) {
  const counts: Counts = { passed: 0, tooMany: 0, limitExceeded: 0, other: 0 };
  const latencies = createHistogram();
  const replicas = urls.map((url) => {
    const connections = createConnections({ url, isRepeatable: true, idleMsMax: idleMs });
    return { connections, running: 0 };
  });
  await Promise.all(replicas.map(({ connections }) => connections.open(connectionsMax)));
  const request = [
    Buffer.from(`GET /v1/models HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\n\r\n`),
  ];
  const startedMs = performance.now();
  const pending: Promise<void>[] = [];
  for (let sent = 0; performance.now() - startedMs < seconds * 1_000; await sleep(1)) {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * offeredPerSecond);
    for (; sent < due; sent++) {
      const replica = replicas[sent % urls.length];
      // A machine that is too slow sends less: that must not count as a response of the gateway.
      if (replica !== undefined && replica.running < connectionsMax) pending.push(call(replica));
    }
  }
  await Promise.all(pending);
  const lastedMs = performance.now() - startedMs;
  const sum = (count: (of: Connections) => number) =>
    replicas.reduce((total, { connections }) => total + count(connections), 0);
  const idleCloses = sum((connections) => connections.idleCloses());
  const sentAgain = sum((connections) => connections.sentAgain());
  for (const { connections } of replicas) connections.close();
  return { counts, lastedMs, latencies, idleCloses, sentAgain };

  async function call(replica: { readonly connections: Connections; running: number }) {
    replica.running += 1;
    const { status, body, problem, tookMs } = await replica.connections.call(request);
    replica.running -= 1;
    latencies.add(tookMs);
    const kind = kindOf(status, body);
    counts[kind] += 1;
    if (kind === 'other' && counts.other === 1) console.error(status, body, problem);
  }
}

function kindOf(status: number, body: string): keyof Counts {
  if (status === 200) return 'passed';
  if (status !== 429) return 'other';
  return body === '{"message":"Limit Exceeded"}' ? 'limitExceeded' : 'tooMany';
}

function configOf(store: string) {
  return {
    company: 'bench',
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    store,
    platforms: { sandbox: { kind: 'simulator' } },
    plans: { user: plan, admin: plan },
    apps: [{ name: app, dailyBudgetUsd: '1' }],
  };
}
