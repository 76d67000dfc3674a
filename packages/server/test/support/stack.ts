import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embedded } from '@model-gateway/lab/simulator/embedded';
import { type Client, createClient } from '@model-gateway/sdk';
import { createSimulator, type Simulator, type SimulatorOptions } from '@model-gateway/simulator';
import { type OpenParts, type OpenService, openService } from '../../src/compose/open-service.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Config } from '../../src/domain/config.ts';
import { createFetch, type Fetch } from '../../src/ingress/http/fetch.ts';
import { createIds, type Ids } from '../../src/lib/id.ts';
import type { Log } from '../../src/lib/log.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import type { IssuedKey } from '../../src/operations/documents/keys.ts';
import { importKey, issueKey } from '../../src/operations/keys/keys.ts';
import { type AuditReport, audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { describedIngress } from './described.ts';
import { heldProcessor } from './processor.ts';
import { openStackStore } from './stack-store.ts';
import { createTestClock, type Pending, type TestClock } from './test-clock.ts';
import { type WatchedStore, watchStore } from './watched-store.ts';

/** The whole service in this process: no port, no sleep, a test clock. */
export interface Stack {
  readonly config: Config;
  readonly clock: TestClock;
  readonly store: Store;
  readonly service: OpenService;
  readonly simulator: Simulator;
  readonly admin: AdminContext;
  readonly fetch: Fetch;
  readonly logLines: readonly LogLine[];
  /** A key of an app, issued once. */
  key(app: string, role?: 'user' | 'admin'): Promise<string>;
  /** A key of any name. */
  issueNamedKey(name: string, customerId: string): Promise<IssuedKey>;
  /** A client of an app; `maxAttempts` is 1 by default, so each response is visible. */
  client(app: string, options?: { maxAttempts?: number; timeoutMs?: number }): Promise<Client>;
  /** A raw HTTP request, with the app's key. */
  post(app: string, path: string, body: unknown, init?: RequestInit): Promise<Response>;
  audit(): Promise<AuditReport>;
  close(): Promise<void>;
}

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** The options of a stack: the YAML below a default head, and a test's own parts. */
export interface StackOptions {
  /** YAML of the configuration; replaces the default, which is below. */
  readonly yaml?: string;
  /** Variables that the configuration is read with. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly script?: SimulatorOptions['script'];
  readonly startMs?: number;
  /** Wraps the store, to count or to break it. */
  readonly wrapStore?: (store: Store) => Store;
  readonly ids?: Ids;
  /** The reported CPU time of threads that check schemas; the system's count by default. */
  readonly cpuMsOf?: OpenParts['cpuMsOf'];
  /** The cost of work; nothing by default. */
  readonly processor?: (clock: TestClock) => OpenParts['processor'];
  /** Whether it records data that only a console shows. */
  readonly hasConsole?: boolean;
  /** Events that time waits for, in addition to the store's answers. */
  readonly pending?: Pending;
}

/** Two priced apps, one of which meters credits, on the simulator. */
export const defaultYaml = `
company: acme
adminEmail: admin@acme.example
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
`;

/** Opens a stack on its own store, in its own folder. */
export async function openStack(options: StackOptions = {}): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-'));
  try {
    return await openIn(folder, options);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function openIn(folder: string, options: StackOptions): Promise<Stack> {
  const config = configOf(options.yaml ?? defaultYaml, folder, options.environment);
  let opened: WatchedStore | undefined;
  const clock = createTestClock({
    pending: () => opened?.pending() ?? options.pending?.(),
    ...(options.startMs === undefined ? {} : { startMs: options.startMs }),
  });
  const onDeath = (error: Error) => {
    throw error;
  };
  opened = watchStore(await openStackStore(config));
  // In virtual time the server's clock has no meaning.
  const { clock: _, ...timeless } = opened;
  const store = options.wrapStore?.(timeless) ?? timeless;
  const ids = options.ids ?? createIds(clock);
  const { log, lines } = recordingLog();
  const { script, cpuMsOf, hasConsole } = options;
  const processor = (options.processor ?? heldProcessor)(clock);
  const simulator = createSimulator({ clock, ...(script === undefined ? {} : { script }) });
  const service = await openService(config, {
    ...{ store, clock, ids, log, simulator: embedded(simulator), cpuMsOf, onDeath },
    ...{ hasConsole, processor },
    ...{ actor: 'test', version: '0.0.0-test' },
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { admin } = service;
  const { ingress, problems } = describedIngress(service.ingress, config);
  const fetch = createFetch(ingress);
  const parts = { config, clock, store, service, simulator, admin, fetch, logLines: lines };
  return { ...parts, ...callers(parts), audit: () => audit(store, clock.now()), close };

  async function close() {
    await clock.run(service.stop());
    await store.close();
    await rm(folder, { recursive: true, force: true });
    // In every test: no response may differ from the API's description.
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
}

type Parts = Pick<Stack, 'clock' | 'service' | 'admin' | 'fetch'>;

function callers({ clock, service, admin, fetch }: Parts) {
  const keys = new Map<string, string>();
  return { key, issueNamedKey, client, post };

  async function key(app: string, role: 'user' | 'admin' = 'user'): Promise<string> {
    const name = `${app} ${role}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const email = role === 'admin' ? 'admin@acme.example' : 'team@acme.example';
    const issued = await clock.run(issueKey(admin, { app, email }));
    await clock.run(service.registry.refresh());
    keys.set(name, issued.key);
    return issued.key;
  }

  async function issueNamedKey(name: string, customerId: string): Promise<IssuedKey> {
    const issued = await clock.run(importKey(admin, { name, customerId, key: undefined }));
    await clock.run(service.registry.refresh());
    return issued;
  }

  async function client(
    app: string,
    options: { maxAttempts?: number; timeoutMs?: number } = {},
  ): Promise<Client> {
    const { maxAttempts = 1 } = options;
    const apiKey = await key(app);
    const baseUrl = 'http://gateway.test/v1';
    return createClient({ baseUrl, apiKey, fetch, ...options, maxAttempts });
  }

  async function post(app: string, path: string, body: unknown, init: RequestInit = {}) {
    const apiKey = await key(app);
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', ...init.headers };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const url = `http://gateway.test${path}`;
    return clock.run(fetch(url, { method: 'POST', body: text, ...init, headers }));
  }
}

function configOf(yaml: string, folder: string, environment = {}): Config {
  const loaded = loadConfig({
    file: join(folder, 'gateway.yaml'),
    environment,
    readFile: () => yaml,
  });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

/** A log whose lines a test reads. */
export function recordingLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  return {
    log: {
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      debug: at('debug'),
      request: at('info'),
    },
    lines,
  };
}
