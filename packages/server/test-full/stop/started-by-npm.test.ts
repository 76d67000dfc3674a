import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, start, withoutNpm } from '../../../../harness/process.ts';
import { readyUrl } from '../../../../harness/server.ts';
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

/** Starts a program by npm that serves, and resolves at the ready line. */
async function started(file: string, words: readonly string[]) {
  const environment = { MODEL_GATEWAY_CONFIG: config };
  const program = start(file, words, { cwd: root, env: withoutNpm(), environment });
  return { program, url: await readyUrl(program) };
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
  const { program, url } = await started(file, words);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  // Its output is open while any process has it, including an orphaned one.
  await program.end('SIGTERM');
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  expect(program.stderr()).toContain('"msg":"stopped"');
});

test('the service ends with a launcher of another Node that was killed', async (context) => {
  const node = systemNode();
  if (node === undefined || !/^v(1\d|2[0-3])\./.test(await run(node, ['--version']))) {
    context.skip("the system's Node runs the service itself");
    return;
  }
  const words = [join(root, 'packages/server/bin/model-gateway.js'), 'serve'];
  const { program } = await started(node, words);
  await program.end('SIGKILL');
  expect(program.stderr()).toContain('"msg":"stopped"');
});

test('SIGUSR1 opens no debugger', async () => {
  const served = await startServed(['serve', '--config', config], { cwd: folder });
  served.process.kill('SIGUSR1');
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  expect(await served.end('SIGTERM')).toBe(0);
  expect(served.log()).not.toContain('Debugger listening');
});
