import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf, run } from '../../harness/process.ts';
import { type FirstStart, firstStart } from '../testing/first-start.ts';
import { codeBlocks, readRepositoryFile, rootFolder } from '../testing/markdown.ts';

const readme = readRepositoryFile('README.md');

let service: FirstStart;
beforeAll(async () => {
  service = await firstStart();
});
afterAll(() => service.stop());

/** Runs an example as its reader would, on the pinned Node. */
async function runExample(file: string, app: string): Promise<string> {
  const { code, stdout, stderr } = await runExampleToEnd(file, app);
  expect([code, stderr]).toEqual([0, stderr]);
  return stdout;
}

function runExampleToEnd(file: string, app: string) {
  const environment = {
    MODEL_GATEWAY_URL: `${service.url}/v1`,
    MODEL_GATEWAY_KEY: service.keyOf(app),
  };
  return endOf(process.execPath, [join(rootFolder, 'examples', file)], { environment });
}

/** The README's text, without the values that differ from one start to the next. */
function withoutChance(text: string): string {
  return text
    .replaceAll(service.url, 'http://127.0.0.1:8787')
    .replaceAll(/\bmgk_\w+/g, 'mgk_…')
    .replaceAll(/\b(call|req)_\w+/g, '$1_…');
}

describe('the README', () => {
  test('shows what the first start prints', () => {
    const [shown] = codeBlocks(readme, 'text');
    expect(withoutChance(service.lines().join('\n')).trim()).toBe(shown?.trim());
  });

  test('shows the answer of the printed call', async () => {
    const stdout = await run('sh', ['-c', curlLine()], { env: await withStandIn() });
    const [shown] = codeBlocks(readme, 'json');
    expect(JSON.parse(withoutChance(stdout))).toEqual(JSON.parse(shown ?? ''));
  });

  test('shows the source of the first example', () => {
    expect(codeBlocks(readme, 'ts')).toEqual([readRepositoryFile('examples/chat.ts')]);
  });

  test('shows what the first example prints', async () => {
    expect(await runExample('chat.ts', 'search')).toBe(codeBlocks(readme, 'text')[1]);
  });
});

describe('the commands of the README', () => {
  test('attack finds nothing, and prints the documented text', async () => {
    const lines = withoutFigures(await runCommand('attack', '--seed', '7'));
    expect(lines).toBe(withoutFigures(readRepositoryFile('docs/attack-output.txt')));
    const [, some = ''] = readme.split('These are some of its lines');
    const linesOfReadme = withoutFigures(codeBlocks(some, 'text')[0] ?? '').trim();
    expect(lines.split('\n')).toEqual(expect.arrayContaining(linesOfReadme.split('\n')));
  });

  test('demo has the required results', async () => {
    expect(await runCommand('demo')).toMatch(/^All 20 steps passed\. Next: /m);
  });
});

/** Figures differ from run to run, and with them the columns; required zeros do not. */
function withoutFigures(text: string): string {
  return text
    .replaceAll(/\d[\d.]*/g, (figure) => (Number(figure) === 0 ? '0' : '#'))
    .replaceAll(/ {2,}/g, '  ');
}

/** Runs a command and returns its output; rejects when it fails. */
function runCommand(...words: readonly string[]): Promise<string> {
  const launcher = join(rootFolder, 'packages/server/bin/model-gateway.js');
  return run(process.execPath, [launcher, ...words], { cwd: tmpdir() });
}

// A shell reads the printed line in every run. Debian has no curl by default, so a stand-in
// replaces it; where there is a curl, the line is also sent by the real one.
describe('the printed curl line', () => {
  test('gets a response when pasted, with usage and cost', async () => {
    const standIn = await run('sh', ['-c', curlLine()], { env: await withStandIn() });
    const real = await run('sh', ['-c', `command -v curl > /dev/null || exit 0; ${curlLine()}`]);
    for (const printed of [standIn, real]) {
      if (printed === '') continue;
      expect(JSON.parse(printed)).toMatchObject({
        text: 'Hello, gateway!',
        usage: { inputTokens: 24, outputTokens: 4 },
        cost: { usd: '0.000006', estimated: false },
      });
    }
    expect(standIn).not.toBe('');
  });
});

describe('the example of errors', () => {
  test('meets each code and prints what to do', async () => {
    const { code, stdout, stderr } = await runExampleToEnd('errors.ts', 'search');
    expect(code).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines).toEqual([
      'sim-echo: Hello',
      'sim-truncated: TRUNCATED 422: call again with a larger maxTokens',
      'sim-throttled: THROTTLED 429: come back later; attempts: 1',
      'sim-denied: AUTH 403: ask the operator of the gateway',
      expect.stringMatching(
        /^a text above the budget: BUDGET_EXCEEDED 429: stop for \d+ h, until 00:00 UTC$/,
      ),
    ]);
    // For the log: the request's id and cost.
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^sim-truncated: request req_\w{26}, \$0\.\d+$/),
      expect.stringMatching(/^sim-throttled: request req_\w{26}, \$0$/),
      expect.stringMatching(/^sim-denied: request req_\w{26}, \$0$/),
      expect.stringMatching(/^sim-reasoning: request req_\w{26}, \$0$/),
    ]);
  });

  test('names the missing variable when there is no key', async () => {
    const environment = { MODEL_GATEWAY_KEY: undefined };
    const running = run(process.execPath, [join(rootFolder, 'examples/chat.ts')], { environment });
    await expect(running).rejects.toThrow(/apiKey is missing.*MODEL_GATEWAY_KEY/s);
  });
});

function curlLine(): string {
  return service.lines().find((line) => line.startsWith('curl ')) ?? 'exit 1';
}

let standInFolder: string | undefined;
afterAll(async () => {
  if (standInFolder !== undefined) await rm(standInFolder, { recursive: true, force: true });
});

/** An environment in which `curl` is the stand-in. */
async function withStandIn(): Promise<NodeJS.ProcessEnv> {
  if (standInFolder === undefined) {
    standInFolder = await mkdtemp(join(tmpdir(), 'model-gateway-curl-'));
    const standIn = join(rootFolder, 'examples/testing/curl-stand-in.ts');
    const script = `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`;
    await writeFile(join(standInFolder, 'curl'), script);
    await chmod(join(standInFolder, 'curl'), 0o755);
  }
  return { ...process.env, PATH: `${standInFolder}${delimiter}${process.env.PATH ?? ''}` };
}
