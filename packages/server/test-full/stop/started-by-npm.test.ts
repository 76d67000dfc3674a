import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemNode } from '../../test/cli/support/bin.ts';
import { startServed } from '../../test/support/process.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'started-by-npm-'));
  config = join(folder, 'gateway.yaml');
  const platforms = 'platforms: { sandbox: { kind: simulator } }';
  await writeFile(config, `company: acme\nlisten: { port: 0 }\nadmin: { port: 0 }\n${platforms}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a program of npm that serves, and resolves at the ready line. */
async function started(file: string, words: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(file, words, {
    cwd: root,
    env: { ...withoutNpm(), MODEL_GATEWAY_CONFIG: config, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /ready at (http\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`it ended before it was ready: ${log}`)));
  });
  return { child, url, log: () => log };
}

/** What the shell of an operator has: these tests may be started by npm themselves. */
function withoutNpm(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !name.toLowerCase().startsWith('npm_'),
  );
  return Object.fromEntries(entries);
}

/** Output is open for as long as any process that was started has it: also one left behind. */
function everybodyEnded(child: ChildProcess) {
  return once(child, 'close');
}

const programs = [
  { name: 'npm start', file: 'npm', words: ['start'] },
  { name: 'npx model-gateway serve', file: 'npx', words: ['model-gateway', 'serve'] },
  {
    // As in a folder where the launcher runs on another Node than the service.
    name: 'a script of npm that does not exec',
    file: 'npm',
    words: ['exec', '--call', 'model-gateway serve; exit 0'],
  },
] as const;

test.each(programs)('SIGTERM to $name ends the service in order', async ({ file, words }) => {
  const { child, url, log } = await started(file, words);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  child.kill('SIGTERM');
  await everybodyEnded(child);
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  expect(log()).toContain('"msg":"stopped"');
});

test('the service ends with a launcher of another Node that was killed', async (context) => {
  const node = systemNode();
  if (node === undefined || !/^v(1\d|2[0-3])\./.test(await versionOf(node))) {
    context.skip("the system's Node runs the service itself");
    return;
  }
  const words = [join(root, 'packages/server/bin/model-gateway.js'), 'serve'];
  const { child, log } = await started(node, words);
  child.kill('SIGKILL');
  await everybodyEnded(child);
  expect(log()).toContain('"msg":"stopped"');
});

async function versionOf(node: string): Promise<string> {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let version = '';
  child.stdout.on('data', (chunk: Buffer) => {
    version += chunk.toString('utf8');
  });
  await once(child, 'close');
  return version;
}

test('SIGUSR1 opens no debugger', async () => {
  const served = await startServed(['serve', '--config', config], { cwd: folder });
  served.process.kill('SIGUSR1');
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  expect(await served.end('SIGTERM')).toBe(0);
  expect(served.log()).not.toContain('Debugger listening');
});
