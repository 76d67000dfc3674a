import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declareMissing } from '../../admin/declared-apps.ts';
import { issueKey } from '../../admin/keys.ts';
import { OfficeError } from '../../admin/office.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { silentLog } from '../../lib/log.ts';
import { int } from '../../store/columns.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/port.ts';
import { officeOf, type Shell } from '../context.ts';
import { attackYaml } from './attack-yaml.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

/** Where an attack happens: a store, the simulator, and services to be killed. */
export interface Arena {
  readonly shell: Shell;
  readonly config: Config;
  readonly folder: string;
  readonly store: Store;
  readonly simulatorUrl: string;
  /** The services' URLs, those of now. */
  urls(): readonly string[];
  /** Kills a service without warning, and starts it again. */
  killAndRestart(index: number): Promise<void>;
  key(app: string): string;
  close(): Promise<void>;
}

/** Opens an arena on a temporary SQLite store, or on an empty one. */
export async function openArena(shell: Shell, storeUrl: string | undefined): Promise<Arena> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-attack-'));
  const simulator = await startProcess(['simulator', '--port', '0']);
  const file = join(folder, 'gateway.yaml');
  const yaml = attackYaml({ simulatorUrl: simulator.url, store: storeUrl ?? 'sqlite:./attack.db' });
  await writeFile(file, yaml);
  const config = configOf(file, yaml);
  const store = await openStore({
    target: config.store,
    onDeath: (error) => shell.warn(error.message),
    log: silentLog,
  });
  await refuseUsedStore(store, storeUrl);
  const keys = await prepare(shell, config, store);
  const services: ServerProcess[] = [];
  const start = () => startProcess(['serve', '--config', file]);
  // Only PostgreSQL lets several services share a store.
  const replicas = store.kind === 'postgres' ? 2 : 1;
  for (let index = 0; index < replicas; index++) services.push(await start());
  return {
    shell,
    config,
    folder,
    store,
    simulatorUrl: simulator.url,
    urls: () => services.map(({ url }) => url),
    async killAndRestart(index) {
      await services[index]?.end('SIGKILL');
      services[index] = await start();
    },
    key: (app) => keys.get(app) ?? '',
    async close() {
      await Promise.all(services.map((service) => service.end('SIGTERM')));
      await simulator.end('SIGTERM');
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configOf(file: string, yaml: string): Config {
  const loaded = loadConfig({ file, environment: {}, readFile: () => yaml });
  if ('config' in loaded) return loaded.config;
  throw new OfficeError(loaded.problems.join('\n'));
}

/** An attack spends what it can: it must never meet a ledger that is in use. */
async function refuseUsedStore(store: Store, storeUrl: string | undefined) {
  const apps = await store.read({
    sql: 'select count(*) as apps from app',
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'apps')),
  });
  if (apps === 0) return;
  await store.close();
  throw new OfficeError(`the store ${storeUrl ?? ''} is in use: an attack needs an empty one`);
}

async function prepare(
  shell: Shell,
  config: Config,
  store: Store,
): Promise<ReadonlyMap<string, string>> {
  const office = officeOf(shell, config, store);
  await declareMissing(office, config.apps);
  const keys = new Map<string, string>();
  for (const { name } of config.apps) {
    const { key } = await issueKey(office, { app: name, email: 'attack@acme.example' });
    keys.set(name, key);
  }
  return keys;
}
