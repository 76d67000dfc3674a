import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../packages/server/test/support/server.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const waitMs = 20_000;
const source = new URL('./collector/', import.meta.url).pathname;
const document = readFileSync(new URL('../../docs/tracing.md', import.meta.url), 'utf8');

const folder = await mkdtemp(join(tmpdir(), 'model-gateway-tracing-'));
const [, configuration = ''] = /```yaml\n(receivers:[^`]*)```/.exec(document) ?? [];
await writeFile(join(folder, 'collector.yaml'), configuration);
const collector = spawn(built(), ['--config', join(folder, 'collector.yaml')], {
  stdio: ['ignore', 'pipe', 'pipe'],
});
let said = '';
for (const stream of [collector.stdout, collector.stderr]) {
  stream.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
}
let surprises = 0;
try {
  await expectSaid('Everything is ready');
  await callOnce();
  await expectSaid(`Trace ID       : ${traceId}`);
  for (const words of ['reserve', 'chat sim-echo', 'attempt 1', 'settle', 'POST /v1/chat']) {
    await expectSaid(`Name           : ${words}`);
  }
  await expectSaid('-> service.name: Str(model-gateway)');
  await expectSaid('-> gen_ai.usage.input_tokens: Int(22)');
  await expectSaid('-> error.type: Str(SERVER)');
  print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
} finally {
  collector.kill();
  await once(collector, 'exit');
  await rm(folder, { recursive: true, force: true });
}

/** The collector, built once for each version of its source. */
function built(): string {
  const hash = createHash('sha256');
  for (const name of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(source, name)));
  const caches = join(homedir(), '.cache', 'model-gateway');
  const file = join(caches, `collector-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(file)) {
    mkdirSync(caches, { recursive: true });
    execFileSync('go', ['build', '-o', file, '.'], { cwd: source, stdio: 'inherit' });
  }
  return file;
}

async function callOnce() {
  const server = await startServer({
    yaml: `
company: acme
tracing: { otlp: "http://127.0.0.1:4318" }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  });
  try {
    for (const model of ['sim-echo', 'sim-down']) await ask(model);
  } finally {
    await server.close();
  }

  async function ask(model: string) {
    const messages = [{ role: 'user', content: 'Hello' }];
    const response = await fetch(`${server.url}/v1/chat`, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': await server.key('search'), 'content-type': 'application/json' },
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({ model, messages, maxTokens: 50 }),
    });
    await response.text();
  }
}

/** Waits until the collector has printed it. */
async function expectSaid(words: string) {
  for (let waitedMs = 0; waitedMs < waitMs && !said.includes(words); waitedMs += 100) {
    if (collector.exitCode !== null) throw new Error(`the collector has ended: ${said}`);
    await sleep(100);
  }
  if (!said.includes(words)) surprises += 1;
  print(`${said.includes(words) ? '  ' : '  SURPRISE not '}said: ${words}`);
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
