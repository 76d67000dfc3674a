import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createClient, LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServed } from '../packages/server/test/support/process.ts';
import { codeBlocks, readRepositoryFile, rootFolder, sectionOf } from './testing/markdown.ts';

const document = readRepositoryFile('docs/operations.md');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-operations-'));
  const yaml = readRepositoryFile('gateway.yaml').replaceAll(/port: 878\d/g, 'port: 0');
  await writeFile(join(folder, 'gateway.yaml'), yaml);
  await mkdir(join(folder, 'bin'));
  // In the folder of an operator npx finds what is installed there; in this one it is our own.
  const npx = `#!/bin/sh\ntool=$1; shift\nexec "${rootFolder}node_modules/.bin/$tool" "$@"\n`;
  await writeFile(join(folder, 'bin/npx'), npx);
  await chmod(join(folder, 'bin/npx'), 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the commands of a section as a shell does; answers what they printed. */
async function follow(heading: string, block = 0): Promise<string> {
  const commands = codeBlocks(sectionOf(document, heading), 'sh')[block] ?? '';
  expect(commands).not.toBe('');
  const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
  const {
    MODEL_GATEWAY_CONFIG: _config,
    MODEL_GATEWAY_STORE: _store,
    ...environment
  } = process.env;
  const env = { ...environment, PATH };
  const shell = spawn('sh', ['-euc', commands], { cwd: folder, env });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
    });
  }
  const [code] = await once(shell, 'close');
  expect([code, printed]).toEqual([0, printed]);
  return printed;
}

const request = {
  model: 'sim-echo',
  maxTokens: 50,
  messages: [{ role: 'user', content: 'Hello' }],
} as const;

test('docs/operations.md can be followed from an empty folder to a restored ledger', async () => {
  const configured = await follow('Configure');
  const apiKey = /mgk_\w+/.exec(configured)?.[0] ?? '';
  expect(configured).toMatch(/^ *search /m);
  const connect = (url: string) => createClient({ baseUrl: `${url}/v1`, apiKey, maxAttempts: 1 });

  const first = await startServed(['serve'], { cwd: folder });
  await connect(first.url).chat(request);
  await follow('Back up');
  await connect(first.url).chat(request);
  expect(await first.end('SIGTERM')).toBe(0);

  const restored = await follow('Restore');
  expect(restored).toMatch(/clean/);
  const second = await startServed(['serve'], { cwd: folder });
  const refused = await connect(second.url)
    .chat(request)
    .catch((error: unknown) => error);
  expect(LlmError.is(refused) && refused.code).toBe('BUDGET_EXCEEDED');
  expect(await follow('Restore', 1)).toMatch(/\$5: \$0\.2500\d+ spent/);
  const answer = await connect(second.url).chat(request);
  expect(answer.text).toBe('Hello');
  expect(await second.end('SIGTERM')).toBe(0);
  // A dozen commands, each a process of its own: on a busy machine they take their time.
}, 600_000);

test('docs/operations.md names the sections that its readers look for', () => {
  for (const heading of ['Configure', 'Run', 'Back up', 'Restore', 'Upgrade', 'Several replicas']) {
    expect(sectionOf(document, heading).length).toBeGreaterThan(100);
  }
});
