import {
  type ServedSimulator,
  type SimulatorClock,
  serveSimulator,
} from '@model-gateway/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { systemClock, type Timer, utcDayOf } from '../../src/lib/clock.ts';
import { fieldOf } from '../../src/lib/json-value.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { type Desk, openDesk, textOf } from '../../test/cli/support/desk.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/postgres-own.ts';
import { type Served, startServed, untilKnown } from '../../test/support/process.ts';

const twoDaysMs = 2 * 86_400_000;

let postgres: OwnPostgres;
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres.close());

let simulator: ServedSimulator;
let desk: Desk;
let aheadMs = 0;
let services: Served[] = [];
const answersToCome = new Set<Timer>();
beforeEach(async () => {
  aheadMs = 0;
  services = [];
  answersToCome.clear();
  simulator = await serveSimulator({ port: 0, clock: simulatorClock });
});
afterEach(async () => {
  // An ended process gets no signal.
  for (const { process } of services) process.kill('SIGKILL');
  await desk.close();
  await simulator.close();
});

const stores = [
  ['SQLite', async () => 'sqlite:./gateway.db'],
  ['PostgreSQL', () => postgres.database()],
] as const;

test.for(stores)(
  'after a kill -9 during calls every day is explained, then equal, on %s',
  async ([, storeOf]) => {
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    desk = await openDesk({ yaml: yamlOf(simulator.url, await storeOf()), clock });
    const first = await serve();
    const keys = [await keyOf('search'), await keyOf('search'), await keyOf('tutor')];
    for (const key of keys) await untilKnown(first, key);
    const running = callers(first.url, keys);
    await until(() => simulator.simulator.bill().total.calls >= 120);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    await running;

    // The next start abandons the reservations of the dead one.
    const second = await serve();
    await untilNothingIsHeld();
    // A model that nobody called before is exact.
    for (const key of keys) expect(await request(second.url, key, 'sim-reasoning')).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);
    await untilBilled();

    const from = utcDayOf(systemClock.now() - 600_000);
    const to = utcDayOf(systemClock.now());
    const range = ['--platform', 'sandbox', '--from', from, '--to', to];
    await desk.record(['reconcile', 'fetch', ...range]);
    aheadMs = twoDaysMs;
    await desk.record(['reconcile', 'fetch', ...range]);
    aheadMs = 0;
    const days = [...new Set([from, to])];
    expect([...(await verdictsOf(days))].sort()).toEqual(['equal', 'explained']);
    for (const day of days) await desk.records(['reconcile', 'settle', '--day', day, '--yes']);
    expect([...(await verdictsOf(days))]).toEqual(['equal']);
    expect(await reportedPicoUsd(from, to)).toBe(simulator.simulator.bill().total.costPicoUsd);
    expect((await desk.run(['audit', '--config', desk.file])).code).toBe(0);
  },
);

async function serve(): Promise<Served> {
  const served = await startServed(['serve'], { cwd: desk.folder });
  services.push(served);
  return served;
}

const models = ['sim-slow', 'sim-echo', 'sim-cached', 'sim-reset', 'sim-no-usage', 'sim-half-json'];

/**
 * 36 callers without pause until the process is gone: chats, streams, runs, some that disconnect.
 */
async function callers(url: string, keys: readonly string[]) {
  const runKey = await runKeyOf(url, keys[0] ?? '', {
    maxCostUsd: '20',
    expiresInMs: 600_000,
  });
  const all = [...keys, runKey];
  const loop = async (index: number) => {
    for (let call = 0; call < 1_000; call++) {
      const model = models[(index + call) % models.length] ?? 'sim-echo';
      const path = (index + call) % 4 === 0 ? '/v1/chat/stream' : '/v1/chat';
      const leavesMs = (index + call) % 7 === 0 ? 20 : undefined;
      const status = await request(url, all[index % all.length] ?? '', model, { path, leavesMs });
      if (status === undefined) return;
    }
  };
  await Promise.all(Array.from({ length: 36 }, (_, index) => loop(index)));
}

/** The status of a call; 0 if its caller disconnected, undefined if the service is gone. */
async function request(
  url: string,
  key: string,
  model: string,
  { path = '/v1/chat', leavesMs }: { path?: string; leavesMs?: number | undefined } = {},
): Promise<number | undefined> {
  const user = key === tutorKey ? { userId: 'u1' } : {};
  const body = JSON.stringify({ model, maxTokens: 100, messages: [hello], ...user });
  const signal = leavesMs === undefined ? undefined : AbortSignal.timeout(leavesMs);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  try {
    const init = { method: 'POST', headers, body };
    const answer = await fetch(`${url}${path}`, signal === undefined ? init : { ...init, signal });
    await answer.text();
    return answer.status;
  } catch {
    return signal?.aborted === true ? 0 : undefined;
  }
}

const hello = { role: 'user', content: 'Hello' };
let tutorKey = '';

async function runKeyOf(url: string, key: string, run: object): Promise<string> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify(run);
  const answer = await fetch(`${url}/v1/runs`, { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
  return String(fieldOf(await answer.json(), 'key'));
}

async function keyOf(app: string): Promise<string> {
  const words = ['keys', 'issue', '--app', app, '--email', 'team@acme.example'];
  const key = textOf(await desk.record(words), 'key');
  if (app === 'tutor') tutorKey = key;
  return key;
}

/** On PostgreSQL a replica counts as dead after a while without a heartbeat. */
function untilNothingIsHeld() {
  return until(async () => (await desk.records(['holds', 'list'])).length === 0);
}

/** The 2 s model is billed at the end of its calls, though their caller is dead by then. */
function untilBilled() {
  return until(() => answersToCome.size === 0);
}

/** The machine's clock, which includes the pending responses of the simulator. */
const simulatorClock: SimulatorClock = {
  now: systemClock.now,
  after(delayMs, run) {
    const timer = systemClock.after(delayMs, () => {
      answersToCome.delete(timer);
      run();
    });
    answersToCome.add(timer);
    return {
      cancel() {
        answersToCome.delete(timer);
        timer.cancel();
      },
    };
  },
};

async function verdictsOf(days: readonly string[]): Promise<ReadonlySet<string>> {
  const shown = [];
  for (const day of days) shown.push(...(await desk.records(['reconcile', 'show', '--day', day])));
  return new Set(shown.map((row) => textOf(row, 'verdict')));
}

/** The total of the file for finance. */
async function reportedPicoUsd(from: string, to: string): Promise<bigint> {
  const days = ['--from', from, '--to', to, '--by', 'app,model,key,day'];
  const words = ['report', ...days, '--format', 'csv', '--config', desk.file];
  const { out } = await desk.run(words);
  const [head = '', ...rows] = out
    .join('\n')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const position = head.split(',').indexOf('costUsd');
  return rows.reduce((sum, row) => sum + (parseUsd(row.split(',')[position] ?? '') ?? 0n), 0n);
}

function yamlOf(simulatorUrl: string, store: string): string {
  return `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: "${store}"
streaming: true
retry: { attempts: 2, baseMs: 1, capMs: 2 }
platforms:
  sandbox: { kind: simulator, baseUrl: "${simulatorUrl}" }
plans:
  user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 }
apps:
  - { name: search, dailyBudgetUsd: "500", monthlyBudgetUsd: "5000" }
  - { name: tutor, dailyBudgetUsd: "500", credits: { monthlyGrant: "100000", usdPerCredit: "0.01" } }
budgets:
  - { name: all, apps: [search, tutor], dailyUsd: "900" }
`;
}
