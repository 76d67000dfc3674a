import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';
import { until } from '../../harness/until.ts';
import type { Target } from '../load/job.ts';
import { scriptPath } from '../processes/script-path.ts';
import { ownCall } from './calls.ts';
import { issueKey } from './issue-key.ts';
import { benchModel, embeddingsModel, type RunningSide, type Setting } from './side.ts';

const ownLauncher = scriptPath('../packages/server/bin/model-gateway.js');
const app = 'bench';

/** Starts this gateway with everything on, on the store of a URL. */
export async function startGateway(
  scope: Scope,
  setting: Setting,
  store: string,
): Promise<RunningSide> {
  const config = join(setting.folder, 'gateway.json');
  writeFileSync(config, JSON.stringify(configOf(setting, store)));
  const { launcher = ownLauncher } = setting;
  const server = await startServer(scope, {
    argv: [...(setting.nodeOptions ?? []), launcher, 'serve', '--config', config],
    logFile: logFileOf(setting),
    environment: setting.environment ?? {},
  });
  const headers = { 'x-api-key': await issueKey({ launcher, config, app }) };
  const target = (prompt: string) => {
    return { url: server.url, headers, ...ownCall(prompt, setting.operation) };
  };
  await untilKeyIsAccepted(server.url, headers);
  if (setting.operation === 'relay') await bindWorkspace({ launcher, config, target });
  return { pid: server.pid, target };
}

export function logFileOf({ folder }: Setting): string {
  return join(folder, 'gateway.log');
}

function configOf({ upstreamUrl, operation, limits = {}, more = {} }: Setting, store: string) {
  const plan = { ratePerSecond: 1_000_000, burst: 1_000_000, requestsPerDay: 1_000_000_000 };
  return {
    company: 'bench',
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    limits,
    store,
    platforms: {
      upstream:
        operation === 'relay'
          ? { kind: 'anthropic', baseUrl: upstreamUrl, apiKey: 'none' }
          : { kind: 'openai-compatible', baseUrl: `${upstreamUrl}/v1`, apiKey: 'none' },
    },
    defaultPlatform: 'upstream',
    plans: { user: plan, admin: plan },
    models: [
      {
        id: benchModel,
        platform: 'upstream',
        inputUsdPerMillion: '0.15',
        cachedInputUsdPerMillion: '0.075',
        outputUsdPerMillion: '0.60',
        contextTokens: 128_000,
        maxOutputTokens: 16_384,
      },
      ...(operation === 'embeddings' ? [embeddings] : []),
    ],
    ...(operation === 'stream' ? { streaming: true } : {}),
    ...(operation === 'relay' ? { ingress: { anthropic: true } } : {}),
    apps: [{ name: app, dailyBudgetUsd: '1000000' }],
    ...more,
  };
}

const embeddings = {
  id: embeddingsModel,
  kind: 'embeddings',
  platform: 'upstream',
  inputUsdPerMillion: '0.02',
  contextTokens: 8_192,
};

/** A running gateway accepts a newly issued key within a second. */
async function untilKeyIsAccepted(url: string, headers: Readonly<Record<string, string>>) {
  await until(async () => (await fetch(`${url}/v1/models`, { headers })).status === 200);
}

/** Anthropic's calls name a workspace; a call succeeds within a second after it is bound. */
async function bindWorkspace(parts: {
  readonly launcher: string;
  readonly config: string;
  readonly target: (prompt: string) => Target;
}) {
  const { launcher, config } = parts;
  const words = ['projects', 'bind', app, 'upstream', 'wrkspc_bench', '--config', config];
  await run(process.execPath, [launcher, ...words]);
  const { url, path, headers, body } = parts.target('hello');
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  };
  await until(async () => (await fetch(`${url}${path}`, init)).status === 200);
}
