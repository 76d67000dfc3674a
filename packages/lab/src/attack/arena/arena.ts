import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { highestInputRate } from '@model-gateway/server/catalog/cost';
import { createCatalog } from '@model-gateway/server/catalog/create-catalog';
import { shippedModels } from '@model-gateway/server/catalog/models/shipped';
import { type CommandContext, operator } from '@model-gateway/server/cli/process/context';
import { openStore } from '@model-gateway/server/compose/open-store';
import { loadConfig } from '@model-gateway/server/config/load-config';
import type { Config } from '@model-gateway/server/domain/config';
import { silentLog } from '@model-gateway/server/lib/log';
import { declareMissing } from '@model-gateway/server/operations/config/declared-apps';
import { AdminError } from '@model-gateway/server/operations/context/admin-error';
import {
  type AdminContext,
  createAdminContext,
} from '@model-gateway/server/operations/context/context';
import { issueKey } from '@model-gateway/server/operations/keys/keys';
import type { Store } from '@model-gateway/server/store/port/port';
import { int } from '@model-gateway/server/store/schema/columns';
import { simulatorRows } from '../../simulator/rows.ts';
import { attackApps, capOf, cappedKey, scopeCap } from './accounts.ts';
import { attackYaml } from './attack-yaml.ts';
import type { Rates } from './planned-call.ts';
import { runCommand, type ServerProcess, startProcess } from './server-process.ts';

export interface Arena {
  readonly context: CommandContext;
  readonly config: Config;
  /** Contains the configuration, and the store unless another one was given. */
  readonly folder: string;
  readonly store: Store;
  readonly admin: AdminContext;
  readonly simulatorUrl: string;
  urls(): readonly string[];
  killAndRestart(index: number): Promise<void>;
  /** Rejects if the service does not start. */
  start(configFile: string): Promise<ServerProcess>;
  /** Throws with its last output on failure. */
  command(...words: readonly string[]): Promise<void>;
  key(name: string): string;
  /** A line for each service that ended by itself and was restarted. */
  readonly broken: readonly string[];
  isClosed(): boolean;
  close(signal: NodeJS.Signals): Promise<void>;
}

/** Default: a folder that is deleted at the end. */
export interface ArenaOptions {
  /** An empty store, used instead of one in the folder. */
  readonly storeUrl: string | undefined;
  /** A folder that stays; it must be empty or missing. */
  readonly keep: string | undefined;
  readonly threads: number;
}

/** Throws an AdminError if its store or its folder is in use. */
export async function openArena(context: CommandContext, options: ArenaOptions): Promise<Arena> {
  const folder = await folderOf(options.keep);
  const compiled = join(folder, '.compiled');
  const environment = { NODE_COMPILE_CACHE: compiled };
  const logFile = join(folder, 'services.log');
  // Closed in reverse order, also if the arena could not be opened.
  const closings: ((signal: NodeJS.Signals) => Promise<unknown>)[] = [];
  let isClosed = false;
  closings.push(() => remove(options.keep === undefined ? folder : compiled));
  try {
    return await open();
  } catch (error) {
    await close('SIGTERM');
    throw error;
  }

  async function open(): Promise<Arena> {
    const simulator = await start(['simulator', '--port', '0']);
    closings.push(simulator.end);
    const file = join(folder, 'gateway.yaml');
    const config = await writeConfig(file, {
      simulatorUrl: simulator.url,
      store: options.storeUrl ?? 'sqlite:./attack.db',
      capOf: (app) => capOf(app, highestRatesOf(context)),
      threads: options.threads,
    });
    const onDeath = (error: Error) => context.warn(error.message);
    const store = await openStore({ target: config.store, onDeath, log: silentLog });
    closings.push(() => store.close());
    await refuseUsedStore(store, options.storeUrl);
    const { clock, ids } = context;
    const { company, adminEmail } = config;
    const admin = createAdminContext({ store, clock, ids, company, adminEmail, actor: operator() });
    const keys = await prepare(admin, config);
    const serve = (configFile: string) => start(['serve', '--config', configFile]);
    const { services, broken, startAt } = createServices(
      () => serve(file),
      () => isClosed,
    );
    closings.push((signal) => Promise.all(services.map((service) => service.end(signal))));
    // Only PostgreSQL lets several services share a store.
    const replicas = store.kind === 'postgres' ? 2 : 1;
    for (let index = 0; index < replicas; index++) await startAt(index);
    return {
      ...{ context, config, folder, store, admin, broken, start: serve, close },
      simulatorUrl: simulator.url,
      urls: () => services.map(({ url }) => url),
      async killAndRestart(index) {
        await services[index]?.end('SIGKILL');
        await startAt(index);
      },
      command: (...words) => runCommand([...words, '--config', file], { environment, logFile }),
      key: (name) => keys.get(name) ?? '',
      isClosed: () => isClosed,
    };
  }

  /** Restarts share the first service's compile cache. */
  function start(commandLine: readonly string[]): Promise<ServerProcess> {
    if (isClosed) return Promise.reject(new AdminError('the attack is over'));
    return startProcess(commandLine, { environment, logFile });
  }

  async function close(signal: NodeJS.Signals): Promise<void> {
    isClosed = true;
    for (const end of closings.splice(0).toReversed()) await end(signal);
  }
}

function createServices(start: () => Promise<ServerProcess>, isClosed: () => boolean) {
  const services: ServerProcess[] = [];
  const broken: string[] = [];
  return { services, broken, startAt };

  async function startAt(index: number): Promise<void> {
    const service = await start();
    services[index] = service;
    void service.died.then((lastWords) => {
      if (isClosed()) return undefined;
      broken.push(`a service ended unexpectedly: ${lastLineOf(lastWords)}`);
      return startAt(index).catch((error: unknown) => broken.push(String(error)));
    });
  }
}

function lastLineOf(words: string): string {
  const lines = words.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.findLast((line) => line !== '') ?? ''
  );
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

export function highestRatesOf({ clock }: Pick<CommandContext, 'clock'>): Rates {
  const name = 'sandbox';
  const highestRates = createCatalog({
    models: [],
    aliases: [],
    platforms: [{ name, kind: 'simulator' }],
    defaultPlatform: name,
    shipped: [...shippedModels(), ...simulatorRows()],
    clock,
  }).highestPrice({ platform: name, upstreamModel: 'sim-unpriced' });
  if (highestRates === undefined) throw new AdminError('no model of the catalog has a price');
  const { inputPicoUsd, outputPicoUsd } = highestRates;
  return { inputPicoUsd, outputPicoUsd, heldInputPicoUsd: highestInputRate(highestRates) };
}

async function folderOf(keep: string | undefined): Promise<string> {
  if (keep === undefined) return mkdtemp(join(tmpdir(), 'model-gateway-attack-'));
  const folder = resolve(keep);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length === 0) return folder;
  throw new AdminError(`--keep: the folder ${folder} is not empty; use another one`);
}

async function writeConfig(file: string, parts: Parameters<typeof attackYaml>[0]): Promise<Config> {
  const yaml = attackYaml(parts);
  await writeFile(file, yaml);
  const loaded = loadConfig({ file, environment: {}, readFile: () => yaml });
  if ('config' in loaded) return loaded.config;
  throw new AdminError(loaded.problems.join('\n'));
}

/** An attack spends all it can: it must never use a production ledger. */
async function refuseUsedStore(store: Store, storeUrl: string | undefined) {
  const apps = await store.read({
    sql: 'select count(*) as apps from app',
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'apps')),
  });
  if (apps === 0) return;
  throw new AdminError(`the store ${storeUrl ?? ''} is in use; an attack requires an empty store`);
}

async function prepare(admin: AdminContext, config: Config): Promise<ReadonlyMap<string, string>> {
  await declareMissing(admin, config.apps);
  const keys = new Map<string, string>();
  for (const { name } of config.apps) {
    const { key } = await issueKey(admin, { app: name, email: 'attack@acme.example' });
    keys.set(name, key);
  }
  const limits = { dailyPicoUsd: scopeCap('key-day') };
  const ofCappedKey = { app: attackApps.capped.name, email: 'capped@acme.example', limits };
  keys.set(cappedKey, (await issueKey(admin, ofCappedKey)).key);
  return keys;
}
