import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../../harness/free-port.ts';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { type ServerProcess, startServer } from '../../harness/server.ts';
import { startOwnPostgres } from '../../packages/server/test/support/postgres-own.ts';
import { fillKeys } from '../ledger/fill-keys.ts';
import { scriptPath } from '../processes/script-path.ts';
import { issueKey } from '../sides/issue-key.ts';
import { models } from './calls.ts';
import type { AdminAccess } from './jobs.ts';
import type { ServiceSetting } from './vector.ts';

const launcher = scriptPath('../packages/server/bin/model-gateway.js');
const keysOfAttacker = 7;

/** A kind of store, and the number of threads that answer requests. */
export interface Side {
  readonly name: string;
  readonly store: 'sqlite' | 'postgres';
  readonly threads: number;
}

export const sides = {
  sqlite: { name: 'SQLite', store: 'sqlite', threads: 1 },
  postgres: { name: 'PostgreSQL', store: 'postgres', threads: 1 },
  threads: { name: '2 threads', store: 'sqlite', threads: 2 },
} as const satisfies Readonly<Record<string, Side>>;

export interface Keys {
  readonly attacker: readonly string[];
  /** The key of an app whose budget is used up. */
  readonly poor: string;
  readonly victim: string;
}

/** A store with keys, on which services start one after the other. */
export interface Prepared {
  readonly keys: Keys;
  readonly admin: AdminAccess;
  start(scope: Scope, setting: ServiceSetting): Promise<ServerProcess>;
}

/** Makes the store of a side and issues its keys with the command line, as an operator does. */
export async function prepareSide(
  scope: Scope,
  side: Side,
  parts: { readonly folder: string; readonly upstreamUrl: string },
): Promise<Prepared> {
  const store = await storeOf(scope, side, parts.folder);
  const config = join(parts.folder, 'gateway.json');
  const adminPort = await freePort();
  const write = (setting: ServiceSetting) => {
    const text = JSON.stringify(configOf({ ...parts, store, side, setting, adminPort }));
    writeFileSync(config, text);
  };
  write({});
  await run(process.execPath, [launcher, 'migrate', '--config', config]);
  const issue = (app: string) => issueKey({ launcher, config, app });
  const attacker: string[] = [];
  while (attacker.length < keysOfAttacker) attacker.push(await issue(apps.attacker));
  const keys = { attacker, poor: await issue(apps.poor), victim: await issue(apps.victim) };
  const words = ['projects', 'bind', apps.attacker, 'relaying', 'wrkspc_fair', '--config', config];
  await run(process.execPath, [launcher, ...words]);
  let further = 0;
  return {
    keys,
    admin: { url: `http://127.0.0.1:${adminPort}`, token: await issueToken(config) },
    async start(inner, setting) {
      write(setting);
      const { filesMax, keys: keyCount = 0 } = setting;
      await fillKeys(store, { from: further, to: keyCount, app: apps.poor });
      further = Math.max(further, keyCount);
      const serve = [launcher, 'serve', '--config', config];
      const limit = [`--nofile=${filesMax}:${filesMax}`, process.execPath, ...serve];
      const command =
        filesMax === undefined ? { argv: serve } : { program: 'prlimit', argv: limit };
      return startServer(inner, { ...command, logFile: join(parts.folder, 'gateway.log') });
    },
  };
}

async function issueToken(config: string): Promise<string> {
  const words = ['tokens', 'issue', '--name', 'bench', '--json', '--config', config];
  const issued: { readonly token?: unknown } = JSON.parse(
    await run(process.execPath, [launcher, ...words]),
  );
  if (typeof issued.token !== 'string') throw new Error('tokens issue printed no token');
  return issued.token;
}

async function storeOf(scope: Scope, { store }: Side, folder: string): Promise<string> {
  if (store === 'sqlite') return `sqlite:${join(folder, 'gateway.db')}`;
  const server = await startOwnPostgres();
  scope.add(() => server.close());
  return server.database();
}

const apps = { attacker: 'attacker', poor: 'poor', victim: 'victim' } as const;
const rates = { inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.60' } as const;
const sizes = { contextTokens: 8_000_000, maxOutputTokens: 16_384 } as const;

/** Default limits and default rate limits: the target is the service that a first user starts. */
function configOf(parts: {
  readonly upstreamUrl: string;
  readonly store: string;
  readonly side: Side;
  readonly setting: ServiceSetting;
  readonly adminPort: number;
}) {
  const { upstreamUrl, store, side, setting, adminPort } = parts;
  const { chat, object, stream, slowStream, waiting } = models;
  const ofChat = [chat, object, stream, slowStream, waiting];
  const on = (platform: string, id: string) => ({ id, platform, ...rates, ...sizes });
  return {
    company: 'fair',
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: adminPort },
    store,
    threads: side.threads,
    // Running streams must not delay the end of a service.
    limits: { stopMs: 1_000, ...(setting.inFlight ? { inFlight: setting.inFlight } : {}) },
    streaming: true,
    ingress: { openai: true, anthropic: true },
    ...(setting.isBehindProxy === true ? { trustedProxies: ['127.0.0.0/8'] } : {}),
    platforms: {
      upstream: { kind: 'openai-compatible', baseUrl: `${upstreamUrl}/v1`, apiKey: 'none' },
      relaying: { kind: 'anthropic', baseUrl: upstreamUrl, apiKey: 'none' },
      aws: { kind: 'bedrock-mantle', region: 'us-east-1', apiKey: 'none' },
    },
    defaultPlatform: 'upstream',
    models: [
      ...ofChat.map((id) => on('upstream', id)),
      { ...on('upstream', models.responses), speaks: ['responses'] },
      on('relaying', models.messages),
      {
        ...{ id: models.embeddings, kind: 'embeddings', platform: 'upstream' },
        ...{ inputUsdPerMillion: '0.02', contextTokens: 8_192 },
      },
    ],
    apps: [
      { name: apps.attacker, dailyBudgetUsd: '1000000' },
      { name: apps.victim, dailyBudgetUsd: '1000000' },
      { name: apps.poor, dailyBudgetUsd: '0.00000001' },
    ],
  };
}
