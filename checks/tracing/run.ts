import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { run, start } from '../../harness/process.ts';
import { until } from '../../harness/until.ts';
import { startServer } from '../../packages/server/test/support/server.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const source = new URL('./collector/', import.meta.url).pathname;
const document = readFileSync(new URL('../../docs/tracing.md', import.meta.url), 'utf8');

const folder = await mkdtemp(join(tmpdir(), 'model-gateway-tracing-'));
const [, configuration = ''] = /```yaml\n(receivers:[^`]*)```/.exec(document) ?? [];
await writeFile(join(folder, 'collector.yaml'), configuration);
const collector = start(await built(), ['--config', join(folder, 'collector.yaml')]);
let surprises = 0;
try {
  await collector.printed(/Everything is ready/);
  await callOnce();
  await expectPrinted(`Trace ID       : ${traceId}`);
  for (const words of ['reserve', 'chat sim-echo', 'attempt 1', 'settle', 'POST /v1/chat']) {
    await expectPrinted(`Name           : ${words}`);
  }
  await expectPrinted('-> service.name: Str(model-gateway)');
  await expectPrinted('-> gen_ai.usage.input_tokens: Int(22)');
  await expectPrinted('-> error.type: Str(SERVER)');
  print(surprises === 0 ? 'no surprise' : `${surprises} surprises`);
  process.exitCode = surprises === 0 ? 0 : 1;
} finally {
  await collector.end();
  await rm(folder, { recursive: true, force: true });
}

/** The collector, built once for each version of its source. */
async function built(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(source, name)));
  const caches = join(homedir(), '.cache', 'model-gateway');
  const file = join(caches, `collector-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(file)) {
    mkdirSync(caches, { recursive: true });
    await run('go', ['build', '-o', file, '.'], { cwd: source });
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
    for (const model of ['sim-echo', 'sim-down']) await callModel(model);
  } finally {
    await server.close();
  }

  async function callModel(model: string) {
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
async function expectPrinted(words: string) {
  const isPrinted = () => `${collector.stdout()}${collector.stderr()}`.includes(words);
  await until(() => isPrinted() || !collector.isRunning()).catch(() => undefined);
  if (!isPrinted()) surprises += 1;
  print(`${isPrinted() ? '  ' : '  SURPRISE not '}said: ${words}`);
}

function print(text: string) {
  process.stdout.write(`${text}\n`);
}
