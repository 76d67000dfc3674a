import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { portOf } from '../support/openai-server.ts';
import { startServed } from '../support/process.ts';
import { type CommandResult, type Desk, openDesk } from './support/desk.ts';

/** The platform of a test: the models that it lists, and the project that its responses name. */
interface Playing {
  readonly models?: readonly string[];
  /** The project by path; `*` is in every response. */
  readonly project?: Readonly<Record<string, string>>;
  readonly header?: string;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Imitates the used parts of OpenAI's and Anthropic's APIs. "good" is the one valid key. */
async function play({ models = [], project = {}, header = 'openai-project' }: Playing = {}) {
  const asked: { path: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/^\/v1|\?.*$/g, '');
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ path, body, headers: request.headers });
    const named = project[path] ?? project['*'];
    response.setHeader('content-type', 'application/json');
    if (named !== undefined) response.setHeader(header, named);
    const { authorization = `Bearer ${request.headers['x-api-key']}` } = request.headers;
    const error = (status: number, message: string) => {
      response.statusCode = status;
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
    };
    if (!/^Bearer (?:good|ollama|undefined)$/.test(authorization)) return error(401, 'wrong key');
    if (path === '/models') return response.end(JSON.stringify({ data: models.map(toModel) }));
    const { model } = JSON.parse(body);
    return model === undefined ? error(400, 'no model') : response.end(completion(model));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { asked, origin: `http://127.0.0.1:${portOf(server.address())}` };
}

const toModel = (id: string) => ({ id, object: 'model' });

function completion(model: string): string {
  const message = { role: 'assistant', content: 'Hi there.' };
  return JSON.stringify({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    service_tier: 'default',
  });
}

async function deskWith(environment: Readonly<Record<string, string>>): Promise<Desk> {
  const desk = await openDesk({ environment });
  closing.push(desk.close);
  return desk;
}

function openaiAt(origin: string, more: Readonly<Record<string, string>> = {}) {
  return { OPENAI_API_KEY: 'good', OPENAI_BASE_URL: `${origin}/v1`, ...more };
}

/** Runs `init` with these options for the file `first.yaml`. */
function init(
  desk: Desk,
  options: readonly string[],
  ask?: (question: string) => Promise<string>,
): Promise<CommandResult> {
  return desk.run(['init', ...options, '--config', join(desk.folder, 'first.yaml')], '', ask);
}

const written = (desk: Desk) => readFile(join(desk.folder, 'first.yaml'), 'utf8');

const luna = 'gpt-5.6-luna';

test('one command leads to a call that is billed to the project of the key', async () => {
  const models = ['gpt-4.1', luna, 'text-embedding-3-small'];
  const { origin, asked } = await play({ models, project: { '*': 'proj_own' } });
  const environment = openaiAt(origin);
  const desk = await deskWith(environment);
  const { code, out, errors } = await init(desk, ['--openai', '--yes', '--company', 'globex']);
  expect([code, errors]).toEqual([0, []]);
  expect(out.join('\n')).toContain('Calls of my-app on openai are billed to proj_own.');
  const yaml = await written(desk);
  expect(yaml).toContain('projects: { openai: proj_own }');
  expect(yaml).toMatch(/^ingress: \{ openai: true, anthropic: true \}.*\nstreaming: true$/m);
  expect(yaml).not.toMatch(/acme|good/);
  const [curl = ''] = out.filter((line) => line.startsWith('curl '));
  const key = /x-api-key: (mgk_\w+)/.exec(curl)?.[1] ?? '';
  expect(out).toContain(`  ${key}`);
  const [, body = ''] = /-d '(.*)'$/.exec(curl) ?? [];
  expect(JSON.parse(body)).toMatchObject({ model: luna });

  await writeFile(join(desk.folder, 'first.yaml'), yaml.replaceAll(/port: 878\d/g, 'port: 0'));
  const service = await startServed(['serve', '--config', 'first.yaml'], {
    ...{ cwd: desk.folder, env: environment },
  });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/v1/chat`, { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toMatchObject([200, { text: 'Hi there.' }]);
  expect(asked.at(-1)?.headers['openai-project']).toBe('proj_own');
  expect(await service.end('SIGTERM')).toBe(0);
});

test('an unbilled request finds a project that the list does not name', async () => {
  const { origin, asked } = await play({ project: { '/chat/completions': 'proj_late' } });
  const desk = await deskWith(openaiAt(origin));
  expect((await init(desk, ['--openai', '--yes'])).code).toBe(0);
  expect(await written(desk)).toContain('projects: { openai: proj_late }');
  expect(asked.filter(({ path }) => path !== '/models').map(({ body }) => body)).toEqual(['{}']);
});

test.for<[string, Playing]>([
  ['no project', {}],
  ['several projects', { project: { '*': 'proj_a, proj_b' } }],
  ['several projects without a space', { project: { '*': 'proj_a,proj_b' } }],
  ['the default project', { project: { '*': 'default' } }],
])('a key of %s: the command that binds the app, or the question', async ([_name, playing]) => {
  const { origin } = await play(playing);
  const desk = await deskWith(openaiAt(origin));
  const { code, out } = await init(desk, ['--openai', '--yes', '--app', 'search']);
  expect(code).toBe(0);
  expect(out.join('\n')).toContain('projects bind search openai ID --config');
  expect(await written(desk)).toContain('{ name: search, dailyBudgetUsd: "5" }');

  const asking = await deskWith(openaiAt(origin));
  const questions: string[] = [];
  const typed = ['not an id', 'default', ' proj_typed '];
  const asked = await init(asking, ['--openai'], async (question) => {
    questions.push(question);
    return typed[questions.length - 1] ?? '';
  });
  expect(asked.code).toBe(0);
  expect(questions).toHaveLength(3);
  expect(questions[0]).toContain('Billing project of my-app on openai (proj_…');
  expect(asked.errors).toHaveLength(2);
  expect(await written(asking)).toContain('projects: { openai: proj_typed }');

  const later = await deskWith(openaiAt(origin));
  expect((await init(later, ['--openai'], async () => '')).out.join('\n')).toContain('bind my-app');
});

test('a rejected key writes nothing', async () => {
  const { origin } = await play();
  const desk = await deskWith(openaiAt(origin, { OPENAI_API_KEY: 'wrong-key' }));
  const { code, errors } = await init(desk, ['--openai', '--yes']);
  expect(code).toBe(1);
  expect(errors).toEqual([
    'openai rejects the key in OPENAI_API_KEY (status 401); nothing was written. Set OPENAI_API_KEY to a valid key',
  ]);
  expect(existsSync(join(desk.folder, 'first.yaml'))).toBe(false);
  expect(existsSync(join(desk.folder, 'data'))).toBe(false);
});

test('offline, the file is written and the check is left for later', async () => {
  const desk = await deskWith(openaiAt('http://127.0.0.1:9'));
  const { code, out } = await init(desk, ['--openai', '--yes']);
  expect(code).toBe(0);
  expect(out.join('\n')).toMatch(/Not checked: no response from openai at .*ECONNREFUSED/);
  expect(await written(desk)).toContain('openai: { kind: openai');
});

test('Ollama: each model that it lists has an internal price', async () => {
  const { origin } = await play({ models: ['llama3.2:latest', 'nomic-embed-text:latest'] });
  const desk = await deskWith({ OLLAMA_HOST: new URL(origin).host });
  const { code, out } = await init(desk, ['--ollama', '--yes']);
  expect(code).toBe(0);
  expect(out.join('\n')).toContain('"model":"llama3.2:latest"');
  expect(await written(desk)).toContain('- { id: "llama3.2:latest", platform: ollama, input');
  expect(await written(desk)).not.toContain('nomic');
});

test.for([
  ['', '127.0.0.1:11434'],
  ['0.0.0.0', '127.0.0.1:11434'],
  ['0.0.0.0:9', '127.0.0.1:9'],
  ['http://gpu.example', 'gpu.example:80'],
  ['https://gpu.example/', 'gpu.example:443'],
])('OLLAMA_HOST %s leads to requests to %s', async ([host = '', place = '']) => {
  const desk = await deskWith({ OLLAMA_HOST: host });
  const { code } = await init(desk, ['--ollama', '--yes']);
  expect(code).toBe(0);
  expect(await written(desk)).toContain(`://${place}/v1"`);
  expect(await written(desk)).toContain('# models:');
});

test('Anthropic, several platforms at once, and the admin key where it is set', async () => {
  const models = ['claude-haiku-4-5'];
  const header = 'anthropic-workspace-id';
  const anthropic = await play({ models, project: { '*': 'wrkspc_1' }, header });
  const openai = await play({ project: { '*': 'proj_1' } });
  const environment = { ANTHROPIC_API_KEY: 'good', ANTHROPIC_BASE_URL: anthropic.origin };
  const desk = await deskWith({
    ...openaiAt(openai.origin, { OPENAI_ADMIN_KEY: 'admin' }),
    ...environment,
  });
  const { code, out } = await init(desk, ['--openai', '--anthropic', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out[0] ?? '')).toMatchObject({
    platforms: ['openai', 'anthropic'],
    projects: { openai: 'proj_1', anthropic: 'wrkspc_1' },
    model: 'claude-haiku-4-5',
  });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of the file
  expect(await written(desk)).toContain('adminApiKey: "${OPENAI_ADMIN_KEY}"');
});

test.for<[string, readonly string[], number, RegExp, Readonly<Record<string, string>>?]>([
  ['no key', ['--openai'], 2, /^platforms\.openai\.apiKey: .*OPENAI_API_KEY is not set/],
  ['no region', ['--bedrock'], 2, /^the environment variable AWS_REGION is not set/],
  ['no host', ['--ollama'], 2, /^OLLAMA_HOST: "a b" must be a host/, { OLLAMA_HOST: 'a b' }],
  ['an app alone', ['--app', 'search'], 2, /^--app requires a platform: --openai/],
  ['a project for none', ['--ollama', '--project', 'p'], 2, /^--project requires exactly one of/],
  ['a wrong company', ['--ollama', '--company', 'No Such'], 2, /^company: /],
  ['a wrong app', ['--ollama', '--app', 'No Such'], 2, /^apps\[0\]\.name: /],
  ['no address', ['--ollama', '--email', 'nobody'], 2, /^"nobody" is not a valid email address/],
])('%s: one line, and nothing is written', async ([_name, options, code, says, environment]) => {
  const desk = await deskWith(environment ?? { OLLAMA_HOST: '127.0.0.1:9' });
  const result = await init(desk, [...options, '--yes']);
  expect([result.code, result.errors.length]).toEqual([code, 1]);
  expect(result.errors[0]).toMatch(says);
  expect(existsSync(join(desk.folder, 'first.yaml'))).toBe(false);
  expect(existsSync(join(desk.folder, 'data'))).toBe(false);
});

test('twice, on another store, and in a missing folder: one line', async () => {
  const desk = await deskWith({ OLLAMA_HOST: '127.0.0.1:9' });
  expect((await init(desk, ['--ollama', '--yes'])).code).toBe(0);
  const yaml = await written(desk);
  const again = await init(desk, ['--ollama', '--yes']);
  expect([again.code, again.errors.length]).toEqual([1, 1]);
  expect(again.errors[0]).toContain('first.yaml already exists and was not changed');
  expect(await written(desk)).toBe(yaml);

  const other = join(desk.folder, 'first.yml');
  const taken = await desk.run(['init', '--ollama', '--yes', '--config', other]);
  expect(taken.errors).toEqual([
    expect.stringMatching(/first\.db is the store of another configuration; nothing was written/),
  ]);
  const lost = join(desk.folder, 'none', 'first.yaml');
  const nowhere = await desk.run(['init', '--ollama', '--yes', '--config', lost]);
  expect([nowhere.code, nowhere.errors.length]).toEqual([1, 1]);
});
