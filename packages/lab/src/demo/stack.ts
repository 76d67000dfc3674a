import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@model-gateway/sdk';
import {
  type CommandContext,
  operator,
  UsageError,
} from '@model-gateway/server/cli/process/context';
import type { Service } from '@model-gateway/server/compose/compose';
import { openService } from '@model-gateway/server/compose/open-service';
import { loadConfig } from '@model-gateway/server/config/load-config';
import type { Config } from '@model-gateway/server/domain/config';
import { createFetch } from '@model-gateway/server/ingress/http/fetch';
import { silentLog } from '@model-gateway/server/lib/log';
import type { AdminContext } from '@model-gateway/server/operations/context/context';
import type { IssuedKey } from '@model-gateway/server/operations/documents';
import { importKey, issueKey } from '@model-gateway/server/operations/keys/keys';
import { createSimulator, type Simulator } from '@model-gateway/simulator';
import { embedded } from '../simulator/embedded.ts';

export interface DemoStack {
  readonly admin: AdminContext;
  readonly service: Service;
  readonly simulator: Simulator;
  /** With a key of the app, created once. It never retries, so each response is visible. */
  client(app: DemoApp): Promise<Client>;
  clientOfName(name: string, customerId: string): Promise<Client>;
  clientOfText(apiKey: string): Client;
}

export async function withDemoStack<T>(
  context: CommandContext,
  work: (stack: DemoStack) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-demo-'));
  try {
    return await withService(context, configIn(folder), work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function configIn(folder: string): Config {
  const file = join(folder, 'gateway.yaml');
  const loaded = loadConfig({ file, environment: {}, readFile: () => demoYaml });
  if ('config' in loaded) return loaded.config;
  throw new UsageError(loaded.problems.join('\n'));
}

async function withService<T>(
  { clock, ids, warn }: CommandContext,
  config: Config,
  work: (stack: DemoStack) => Promise<T>,
): Promise<T> {
  const simulator = createSimulator({ clock, random: ids.random });
  const service = await openService(config, {
    clock,
    ids,
    simulator: embedded(simulator),
    log: silentLog,
    actor: operator(),
    onDeath: (error) => warn(error.message),
  });
  try {
    const { admin } = service;
    return await work({ admin, service, simulator, ...callers(admin, service) });
  } finally {
    await service.stop();
    await service.close();
  }
}

function callers(admin: AdminContext, service: Service) {
  const fetch = createFetch(service.ingress);
  const clients = new Map<DemoApp, Client>();
  return { client, clientOfName, clientOfText };

  function clientOfText(apiKey: string): Client {
    return createClient({ baseUrl: 'https://gateway.demo/v1', apiKey, fetch, maxAttempts: 1 });
  }

  async function clientOfKey(issued: IssuedKey): Promise<Client> {
    // A running service detects a new key within 1 s; the demo does not wait for it.
    await service.registry.refresh();
    return clientOfText(issued.key);
  }

  async function client(app: DemoApp): Promise<Client> {
    const existing = clients.get(app);
    if (existing !== undefined) return existing;
    const made = await clientOfKey(await issueKey(admin, { app, email: 'team@demo.example' }));
    clients.set(app, made);
    return made;
  }

  async function clientOfName(name: string, customerId: string): Promise<Client> {
    return clientOfKey(await importKey(admin, { name, customerId, key: undefined }));
  }
}

/** Limits are so low that the demo reaches each at once. */
const demoYaml = `
company: demo
store: sqlite:./gateway.db
limits: { modelCallMs: 1000, drainMs: 50, bodyBytes: 4096 }
retry: { attempts: 2, baseMs: 1, capMs: 2 }
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: thrifty, dailyBudgetUsd: "0.001" }
  - { name: hasty, plans: { user: { ratePerSecond: 0.001, burst: 1 } } }
  - { name: modest, plans: { user: { requestsPerDay: 1 } } }
  - { name: picky, models: [sim-echo] }
  - { name: exact, unpriced: refuse }
  - { name: retired, enabled: false }
`;

type DemoApp = 'search' | 'thrifty' | 'hasty' | 'modest' | 'picky' | 'exact' | 'retired';
