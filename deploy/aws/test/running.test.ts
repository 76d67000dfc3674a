import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { projectIdOf, type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../harness/free-port.ts';
import { run } from '../../../harness/process.ts';
import { until } from '../../../harness/until.ts';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../../packages/server/test/support/postgres-server.ts';
import { ownLauncher, startServed } from '../../../packages/server/test/support/process.ts';
import { createSelfSigned } from '../../../packages/server/test/support/self-signed.ts';
import { authorityPath } from '../lib/gateway/configuration.ts';
import { gatewayContainer, synthesize } from './synthesize.ts';

/** A model of the simulator, in place of mantle's. */
const row = {
  ...{ id: 'echo', platform: 'mantle', upstreamModel: 'sim-echo', speaks: ['chat'] },
  ...{ inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.60' },
};
const authority = createSelfSigned('localhost');
let folder: string;
let port: number;
let server: PostgresServer;
let mantle: ServedSimulator;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'model-gateway-aws-'));
  writeFileSync(join(folder, 'rds.pem'), authority.cert);
  port = await freePort();
  server = await startPostgresServer(port, [], authority);
  const client = new pg.Client({
    connectionString: `postgres://postgres@localhost:${port}/postgres`,
    ssl: { ca: authority.cert },
  });
  await client.connect();
  await client.query('create role gateway login');
  await client.query('create database gateway owner gateway');
  await client.end();
  // Only the service's own signatures begin with this.
  const takesBearer = (bearer: string) => bearer.startsWith('bedrock-api-key-');
  mantle = await serveSimulator({ port: 0, takesBearer });
});
afterAll(async () => {
  await Promise.all([server.close(), mantle.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The environment of a task, with test values in place of AWS' addresses. */
function environment(): Record<string, string> {
  const { gateway } = gatewayContainer(synthesize({ gateway: { models: [row] } }).gateway);
  const variables: readonly { Name: string; Value: unknown }[] = gateway.Environment;
  const text = variables.find(({ Name }) => Name === 'MODEL_GATEWAY_CONFIG_TEXT')?.Value;
  const here = replaceAll(String(text), [
    ['"kind": "bedrock-mantle",', `"kind": "bedrock-mantle", "baseUrl": "${mantle.url}",`],
    [':5432/', `:${port}/`],
    [authorityPath, join(folder, 'rds.pem')],
    ['"port": 8788', '"port": 0'],
  ]);
  const ids = ['search', 'tutor'].map((app) => {
    const project = mantle.simulator.createProject(`prod-acme-core-${app}`);
    return [`PROJECT_${app.toUpperCase()}`, projectIdOf(project.name)];
  });
  return {
    ...Object.fromEntries(ids),
    ...{ MODEL_GATEWAY_CONFIG_TEXT: here, PORT: '0', DATABASE_HOST: 'localhost' },
    ...{ DATABASE_PASSWORD: 'secret', MODEL_GATEWAY_KEYS: `2026:${'0123456789abcdef'.repeat(2)}` },
    // Credentials of a role, which sign keys here and are valid nowhere.
    ...{ AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' },
    ...{ AWS_SESSION_TOKEN: 'token', AWS_EC2_METADATA_DISABLED: 'true' },
  };
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the configuration has no ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

test('a task bills a call to the project of its app, with only its configuration', async () => {
  const env = environment();
  const service = await startServed(['serve'], { cwd: folder, environment: env });
  const url = service.url.replace('0.0.0.0', '127.0.0.1');
  const headers = { 'x-api-key': await issueKey(env), 'content-type': 'application/json' };
  await until(async () => (await fetch(`${url}/v1/usage`, { headers })).status === 200);
  const answer = await fetch(`${url}/v1/chat`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      ...{ model: 'echo', maxTokens: 50 },
      messages: [{ role: 'user', content: 'Hello, gateway!' }],
    }),
  });
  const text = await answer.text();
  expect(await service.end('SIGTERM')).toBe(0);
  expect([answer.status, text]).toEqual([200, expect.stringContaining('"text":"Hello, gateway!"')]);
  const { projects, missingProjectCalls } = mantle.simulator.bill();
  expect(missingProjectCalls).toBe(0);
  expect(projects).toMatchObject([{ projectId: env.PROJECT_SEARCH, calls: 1 }]);
});

/** An operator's work in their own task. */
async function issueKey(environment: Record<string, string>): Promise<string> {
  const argv = ['keys', 'issue', '--app', 'search', '--email', 'ann@acme.example', '--json'];
  const options = { cwd: folder, environment };
  return JSON.parse(await run(process.execPath, [ownLauncher, ...argv], options)).key;
}
