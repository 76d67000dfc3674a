import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatAnswer, createClient, LlmError } from '@model-gateway/sdk';
import { type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { expect } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { until } from '../../../../harness/until.ts';
import { openService } from '../../src/compose/open-service.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { big } from '../../src/store/schema/columns.ts';
import { adminOn, openHolds } from '../../test/store/support/books.ts';
import type { OwnPostgres } from '../../test/support/postgres-own.ts';
import { type Served, startServed } from '../../test/support/process.ts';

/** A store, a simulator with its own bill, and processes that serve. */
export interface Replicas {
  /** The store as an operator sees it, next to the services. */
  readonly store: Store;
  readonly databaseUrl: string;
  /** The path of the configuration. */
  readonly folder: string;
  readonly simulator: ServedSimulator;
  readonly apiKey: string;
  /** Starts one more replica; `storeUrl` if it uses another route to the database. */
  start(storeUrl?: string): Promise<Served>;
  close(): Promise<void>;
}

/**
 * Opens an empty store with one app and its key, and a simulator, without a replica. `limits` is
 * YAML, such as `{ stopMs: 1000 }`, and `yaml` has more keys of the file. On SQLite one process at
 * a time may serve.
 */
export async function openReplicas(
  on: OwnPostgres | 'sqlite',
  options: { readonly limits?: string; readonly yaml?: string } = {},
): Promise<Replicas> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-replicas-'));
  const databaseUrl =
    on === 'sqlite' ? `sqlite:${join(folder, 'gateway.db')}` : await on.database();
  const simulator = await serveSimulator({ port: 0 });
  const store = await openStoreAt(databaseUrl);
  const { limits = '{}', yaml = '' } = options;
  await writeFile(join(folder, 'gateway.yaml'), configuration(simulator.url, limits) + yaml);
  const running: Served[] = [];
  const admin = adminOn(store);
  const start = async (storeUrl = databaseUrl) => {
    const environment = { MODEL_GATEWAY_STORE: storeUrl };
    const served = await startServed(['serve'], { cwd: folder, environment });
    running.push(served);
    return served;
  };
  await registerApps(join(folder, 'gateway.yaml'), databaseUrl);
  const { key: apiKey } = await issueKey(admin, { app: 'search', email: 'team@acme.example' });
  return {
    ...{ store, databaseUrl, folder, simulator, apiKey, start },
    async close() {
      for (const served of running) await served.end('SIGKILL');
      await store.close();
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Like a first start, without a process: every later process loads the app's key. */
async function registerApps(file: string, storeUrl: string): Promise<void> {
  const environment = { MODEL_GATEWAY_STORE: storeUrl };
  const loaded = loadConfig({ file, environment, readFile: (path) => readFileSync(path, 'utf8') });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  const service = await openService(loaded.config, {
    ...{ clock: systemClock, ids: createIds(systemClock), log: silentLog, actor: 'test' },
    onDeath,
  });
  await service.stop();
  await service.close();
}

/** Opens the store of a URL as the command line does, next to the services. */
export function openStoreAt(url: string): Promise<Store> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  const target = path === undefined ? { kind: 'postgres' as const, url } : sqlite(path);
  return openStore({ target, onDeath, log: silentLog });
}

function onDeath(error: Error): never {
  throw error;
}

function sqlite(path: string) {
  return { kind: 'sqlite', path } as const;
}

/** The results of the callers of some replicas. */
export interface Seen {
  readonly answered: ChatAnswer[];
  /** The code of each error, with its status and its retry-after. */
  readonly errors: LlmError[];
}

/**
 * Callers without pause on one replica, until `goesOn` returns false; errors are recorded and
 * ignored.
 */
export async function callers(
  parts: { url: string; apiKey: string; seen: Seen; count: number; goesOn: () => boolean },
  modelOf: (caller: number, call: number) => string = mixed,
): Promise<void> {
  const { url, apiKey, seen, goesOn } = parts;
  const client = createClient({ baseUrl: `${url}/v1`, apiKey, maxAttempts: 1 });
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  const loop = async (caller: number) => {
    for (let call = 0; goesOn(); call++) {
      try {
        const request = { model: modelOf(caller, call), maxTokens: 50, messages };
        seen.answered.push(await client.chat(request));
      } catch (error) {
        if (!LlmError.is(error)) throw error;
        seen.errors.push(error);
        await pause(20);
      }
    }
  };
  await Promise.all(Array.from({ length: parts.count }, (_, caller) => loop(caller)));
}

/** A quarter of the calls take 2 s. */
export function mixed(caller: number, call: number): string {
  return (caller + call) % 4 === 0 ? 'sim-slow' : 'sim-echo';
}

/**
 * Waits until no reservation is open, and checks the ledger: every answered call is there and the
 * audit is clean. The simulator's bill above the exact costs fits into the estimates.
 */
export async function expectHonestBooks({ store, simulator }: Replicas, seen: Seen) {
  await until(async () => (await openHolds(store)) === 0);
  for (const answer of seen.answered) {
    const record = await store.read(selectCallRecord(answer.id));
    expect(record).toMatchObject({ code: 'OK', upstreamId: answer.requestId });
  }
  const report = await audit(store, systemClock.now());
  expect(report.checks.filter((check) => !check.ok)).toEqual([]);
  const { exact, estimated } = await sums(store);
  const unknown = simulator.simulator.bill().total.costPicoUsd - exact;
  expect(unknown).toBeGreaterThanOrEqual(0n);
  expect(unknown).toBeLessThanOrEqual(estimated);
}

function sums(store: Store): Promise<{ readonly exact: bigint; readonly estimated: bigint }> {
  return store.read({
    sql: `
      select cast(coalesce(sum(cost - estimated), 0) as bigint) as exact,
             cast(coalesce(sum(estimated), 0) as bigint) as estimated
        from call`,
    values: [],
    map: ([row]) => ({
      exact: row === undefined ? 0n : big(row, 'exact'),
      estimated: row === undefined ? 0n : big(row, 'estimated'),
    }),
  });
}

function configuration(simulatorUrl: string, limits: string): string {
  return `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./unused.db
limits: ${limits}
platforms:
  sandbox: { kind: simulator, baseUrl: "${simulatorUrl}" }
plans:
  user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 }
apps:
  - { name: search, dailyBudgetUsd: "1000" }
`;
}
