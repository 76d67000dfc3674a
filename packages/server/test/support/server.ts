import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embedded } from '@model-gateway/lab/simulator/embedded';
import { type Client, createClient } from '@model-gateway/sdk';
import { createSimulator, type Simulator, type SimulatorOptions } from '@model-gateway/simulator';
import { type OpenParts, type OpenService, openService } from '../../src/compose/open-service.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/domain/config.ts';
import { createListener } from '../../src/ingress/http/listener.ts';
import type { HttpOptions } from '../../src/ingress/http/options.ts';
import { createPeers } from '../../src/ingress/http/peers.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import type { Store } from '../../src/store/port/port.ts';
import { describedIngress } from './described.ts';
import { noonClock } from './noon-clock.ts';
import { defaultYaml, type LogLine, recordingLog } from './stack.ts';
import { openStackStore } from './stack-store.ts';

/** The whole service on a real socket; its clock starts at noon by default. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly clock: Clock;
  readonly store: Store;
  readonly service: OpenService;
  readonly simulator: Simulator;
  readonly listener: Server;
  readonly logLines: readonly LogLine[];
  /** The configuration of another text, instead of the file's. */
  configOf(yaml: string): Config;
  /** A key of an app, issued once. */
  key(app: string): Promise<string>;
  /** A client of an app, with the platform's own `fetch`; one attempt. */
  client(app: string): Promise<Client>;
  close(): Promise<void>;
}

/** Starts on a free port, with a store in its own folder. */
export async function startServer(
  options: {
    readonly yaml?: string;
    /** Variables that the configuration is read with. */
    readonly environment?: Readonly<Record<string, string>>;
    readonly script?: SimulatorOptions['script'];
    /** The listener's treatment of slow clients; as in every service by default. */
    readonly http?: HttpOptions;
    /** A test passes one when no time must pass for the service. */
    readonly clock?: Clock;
    readonly exporterWaits?: OpenParts['exporterWaits'];
  } = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-socket-'));
  const yaml = options.yaml ?? defaultYaml;
  const file = join(folder, 'gateway.yaml');
  const configOf = (text: string) => {
    const { environment = {} } = options;
    const loaded = loadConfig({ file, environment, readFile: () => text });
    if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
    return loaded.config;
  };
  const config = configOf(yaml);
  const clock = options.clock ?? noonClock;
  const ids = createIds(clock);
  const { log, lines: logLines } = recordingLog();
  const { script, exporterWaits } = options;
  const simulator = createSimulator({ clock, ...(script === undefined ? {} : { script }) });
  const store = await openStackStore(config);
  const service = await openService(config, {
    ...{ store, clock, ids, log, simulator: embedded(simulator) },
    ...{ actor: 'test', version: '0.0.0-test', exporterWaits },
    onDeath(error) {
      throw error;
    },
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { admin } = service;
  const { ingress, problems } = describedIngress(service.ingress, config);
  const listener = createListener(ingress, {
    ...(options.http === undefined ? {} : { http: options.http }),
    peers: createPeers(config.trustedProxies),
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = addressOf(listener.address());
  const url = `http://127.0.0.1:${port}`;
  const keys = new Map<string, string>();
  return {
    ...{ url, port, clock, store, service, simulator, listener, logLines, configOf },
    key,
    client,
    close,
  };

  async function key(app: string): Promise<string> {
    const known = keys.get(app);
    if (known !== undefined) return known;
    const issued = await issueKey(admin, { app, email: 'team@acme.example' });
    await service.registry.refresh();
    keys.set(app, issued.key);
    return issued.key;
  }

  async function client(app: string): Promise<Client> {
    return createClient({ baseUrl: `${url}/v1`, apiKey: await key(app), maxAttempts: 1 });
  }

  async function close() {
    listener.close();
    await service.stop();
    listener.closeAllConnections();
    await store.close();
    await rm(folder, { recursive: true, force: true });
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('a server on a port has an address');
}
