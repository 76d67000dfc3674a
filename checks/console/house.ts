import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embedded } from '@model-gateway/lab/simulator/embedded';
import { createSimulator } from '@model-gateway/simulator';
import type { Scope } from '../../harness/scope.ts';
import { serveConsole } from '../../packages/server/src/admin-api/listener.ts';
import { type OpenService, openService } from '../../packages/server/src/compose/open-service.ts';
import { loadConfig } from '../../packages/server/src/config/load-config.ts';
import type { Config } from '../../packages/server/src/domain/config.ts';
import { createListener } from '../../packages/server/src/ingress/http/listener.ts';
import { httpOptions } from '../../packages/server/src/ingress/http/options.ts';
import { createPeers } from '../../packages/server/src/ingress/http/peers.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createIds } from '../../packages/server/src/lib/id.ts';
import { createAdminListener } from '../../packages/server/src/observe/admin-listener.ts';
import { startOwnPostgres } from '../../packages/server/test/support/postgres-own.ts';
import { recordingLog } from '../../packages/server/test/support/stack.ts';

/** The whole service in this process, both of its listeners on free ports of loopback. */
export interface House {
  /** The path of its configuration, for commands. */
  readonly file: string;
  readonly config: Config;
  readonly service: OpenService;
  /** The listener of callers. */
  readonly url: string;
  /** The listener of operators. */
  readonly adminUrl: string;
}

export type StoreKind = 'sqlite' | 'postgres';

/** Starts the service of a configuration (without its store) on an empty store of a kind. */
export async function openHouse(
  scope: Scope,
  parts: { readonly kind: StoreKind; readonly configuration: object },
): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-console-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const store = parts.kind === 'sqlite' ? 'sqlite:./gateway.db' : await emptyDatabase(scope);
  const file = join(folder, 'gateway.json');
  await writeFile(file, JSON.stringify({ ...parts.configuration, store }));
  const config = configOf(file);
  const ids = createIds(systemClock);
  const { log } = recordingLog();
  const service = await openService(config, {
    ...{ clock: systemClock, ids, log, actor: 'check', version: '0.0.0-check' },
    simulator: embedded(createSimulator({ clock: systemClock })),
    hasConsole: true,
    onDeath(error) {
      throw error;
    },
  });
  scope.add(async () => void (await service.close()));
  const server = createListener(service.ingress, { peers: createPeers(config.trustedProxies) });
  const hosts = [config.admin.host];
  const { monitor, console } = service;
  const other = console && serveConsole.bind(undefined, console);
  const { pages } = monitor;
  const adminServer = createAdminListener({ pages, log, hosts, other, http: httpOptions });
  scope.add(async () => void (await service.stop()));
  const [url, adminUrl] = [await listenOn(scope, server), await listenOn(scope, adminServer)];
  service.live.setUrl(url);
  return { file, config, service, url, adminUrl };
}

async function emptyDatabase(scope: Scope): Promise<string> {
  const postgres = await startOwnPostgres();
  scope.add(() => postgres.close());
  return postgres.database();
}

function configOf(file: string): Config {
  const readFile = (path: string) => readFileSync(path, 'utf8');
  const loaded = loadConfig({ file, environment: {}, readFile });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

async function listenOn(scope: Scope, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.add(async () => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a server has an address');
  return `http://127.0.0.1:${address.port}`;
}
