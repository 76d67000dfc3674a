import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { startServer } from '../../harness/server.ts';
import { scriptPath } from '../processes/script-path.ts';
import type { Facts } from './command-lines.ts';

/** The file that starts the command line. */
export const launcher = scriptPath('../packages/server/bin/model-gateway.js');

const configuration = `
company: bench
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
  aws: { kind: bedrock-mantle, region: us-east-1, baseUrl: "http://127.0.0.1:9", apiKey: none }
models:
  - { id: house-model, platform: local, inputUsdPerMillion: "1", outputUsdPerMillion: "2" }
apps:
  - { name: search, dailyBudgetUsd: "50", credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
  - { name: tutor, dailyBudgetUsd: "5" }
notify:
  - name: nobody
    url: "http://127.0.0.1:9/"
    secret: whsec_c2VjcmV0LW9mLWEtYmVuY2htYXJrLW9mLXN0YXJ0cy4=
    allowPrivate: true
`;

const invoice = '../packages/server/test/invoices/fixtures/cur.csv';

/** Makes a configuration and a store with the data of each command. */
export async function prepare(scope: Scope, folder: string): Promise<Omit<Facts, 'round'>> {
  writeFileSync(join(folder, 'gateway.yaml'), configuration);
  copyFileSync(scriptPath(invoice), join(folder, 'invoice.csv'));
  const issuing = ['keys', 'issue', '--app', 'search', '--email', 'bench@acme.example'];
  const { id: keyId, key } = await documentOf(folder, issuing);
  const { id: tokenId } = await documentOf(folder, ['tokens', 'issue', '--name', 'first']);
  const made = await callOnce(scope, folder, textOf(key));
  const ids = { keyId: textOf(keyId), tokenId: textOf(tokenId) };
  return { ...made, ...ids, folder, invoice: join(folder, 'invoice.csv') };
}

/** One call and one run, through a service that ends again. */
async function callOnce(scope: Scope, folder: string, key: string) {
  const argv = [launcher, 'serve', '--config', join(folder, 'gateway.yaml')];
  const served = await startServer(scope, { argv, logFile: join(folder, 'serve.log') });
  const post = async (path: string, body: unknown) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${served.url}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const messages = [{ role: 'user', content: 'Hello' }];
  const call = await post('/v1/chat', {
    ...{ model: 'sim-echo', messages, userId: 'user-1', maxTokens: 20 },
  });
  const begun = await post('/v1/runs', { maxCostUsd: '1', expiresInMs: 3_600_000 });
  const { runId }: Record<string, unknown> = JSON.parse(await begun.text());
  await served.stop();
  return { callId: textOf(call.headers.get('x-call-id')), runId: textOf(runId) };
}

async function documentOf(
  folder: string,
  words: readonly string[],
): Promise<Record<string, unknown>> {
  const argv = [launcher, ...words, '--json'];
  return JSON.parse(await run(process.execPath, argv, { cwd: folder }));
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`a text was expected, not ${value}`);
  return value;
}
