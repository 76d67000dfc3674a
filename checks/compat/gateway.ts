import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { issueKey } from '../../benchmarks/sides/issue-key.ts';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';
import { priceUsdPerMillion } from './price.ts';
import type { ForeignServer, Wire } from './servers/foreign-server.ts';

const launcher = fileURLToPath(
  new URL('../../packages/server/bin/model-gateway.js', import.meta.url),
);
const app = 'compat';

/** The billing project of the calls, for wire formats with projects. */
export const project = 'project-of-compat';

/** A running gateway with one model for each wire of a server, named like the wire. */
export interface Gateway {
  readonly url: string;
  readonly apiKey: string;
  /** Runs the gateway's own command and returns the document that it prints. */
  runCommand(...command: readonly string[]): Promise<Record<string, unknown>>;
}

export async function startGateway(
  scope: Scope,
  parts: { readonly server: ForeignServer; readonly upstreamUrl: string; readonly folder: string },
): Promise<Gateway> {
  const config = join(parts.folder, 'gateway.json');
  writeFileSync(config, JSON.stringify(configOf(parts)));
  const runCommand = async (...command: readonly string[]) => {
    const argv = [launcher, ...command, '--json', '--config', config];
    const stdout = await run(process.execPath, argv);
    const document: Record<string, unknown> = JSON.parse(stdout);
    return document;
  };
  const apiKey = await issueKey({ launcher, config, app });
  for (const { kind } of parts.server.wires) {
    if (kind !== 'openai-compatible') await runCommand('projects', 'bind', app, kind, project);
  }
  const logFile = join(parts.folder, 'gateway.log');
  const argv = [launcher, 'serve', '--config', config];
  const { url } = await startServer(scope, { argv, logFile });
  return { url, apiKey, runCommand };
}

function configOf(parts: {
  readonly server: ForeignServer;
  readonly upstreamUrl: string;
  readonly folder: string;
}) {
  const { wires, apiKey } = parts.server;
  const platforms = wires.map(({ kind, basePath }) => {
    return [kind, { kind, baseUrl: `${parts.upstreamUrl}${basePath}`, apiKey }] as const;
  });
  return {
    company: 'compat',
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    store: `sqlite:${join(parts.folder, 'gateway.db')}`,
    retry: { attempts: 3, baseMs: 10, capMs: 50 },
    platforms: Object.fromEntries(platforms),
    models: wires.map(modelOf),
    apps: [{ name: app, dailyBudgetUsd: '1' }],
  };
}

function modelOf({ name, kind, speaks, upstreamModel }: Wire) {
  return {
    id: name,
    platform: kind,
    upstreamModel,
    ...(speaks === undefined ? {} : { speaks }),
    inputUsdPerMillion: String(priceUsdPerMillion.input),
    outputUsdPerMillion: String(priceUsdPerMillion.output),
    contextTokens: 100_000,
    maxOutputTokens: 1_000,
  };
}
