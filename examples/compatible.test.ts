import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../packages/server/src/cli/program.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { startServer, type TestServer } from '../packages/server/test/support/server.ts';
import { codeBlocks, readRepositoryFile } from './testing/markdown.ts';

const readme = readRepositoryFile('README.md');
const replyText = 'Hello, gateway!';
const messages = [{ role: 'user', content: replyText }];

/** Our file as a service has it, with a model that answers there and one of Anthropic's. */
interface ServedFile {
  readonly yaml: string;
  readonly model: string;
  readonly anthropicModel: string | undefined;
}

/** The platform of the README's own file: it serves chat completions, whole and streamed. */
let standIn: Server;
beforeAll(async () => {
  standIn = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const of = { id: 'chatcmpl-1', created: 1, model: 'my-model' };
    const usage = { prompt_tokens: 24, completion_tokens: 4, total_tokens: 28 };
    const choice = { index: 0, finish_reason: 'stop' };
    if (JSON.parse(text).stream === true) {
      const chunk = { ...of, object: 'chat.completion.chunk' };
      const delta = { role: 'assistant', content: replyText };
      response.setHeader('content-type', 'text/event-stream');
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ ...choice, delta }] })}\n\n`);
      response.end(`data: ${JSON.stringify({ ...chunk, choices: [], usage })}\n\ndata: [DONE]\n\n`);
      return;
    }
    const choices = [{ ...choice, message: { role: 'assistant', content: replyText } }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...of, object: 'chat.completion', choices, usage }));
  });
  standIn.listen(0, '127.0.0.1');
  await once(standIn, 'listening');
});
afterAll(() => {
  standIn.close();
});

const sample = { model: 'sim-echo', anthropicModel: 'sim-messages' };

const files: readonly (readonly [string, () => Promise<ServedFile>])[] = [
  ['gateway.yaml', async () => ({ yaml: readRepositoryFile('gateway.yaml'), ...sample })],
  ['the file that init writes', async () => ({ yaml: await writtenByInit(), ...sample })],
  ["the README's own file", async () => ownFile()],
];

async function writtenByInit(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-init-'));
  const configFile = join(folder, 'gateway.yaml');
  const exitCode = await runCommand(['init', '--config', configFile], {
    ...{ clock: systemClock, ids: createIds(systemClock), environment: {} },
    ...{ print: () => undefined, warn: () => undefined, readStandardInput: async () => '' },
  });
  expect(exitCode).toBe(0);
  const yaml = await readFile(configFile, 'utf8');
  await rm(folder, { recursive: true });
  return yaml;
}

function ownFile(): ServedFile {
  const address = standIn.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const yaml = (codeBlocks(readme, 'yaml')[0] ?? '').replace(':11434/', `:${port}/`);
  return { yaml, model: 'my-model', anthropicModel: undefined };
}

/** Sends a body with the key of one app, in the header of the path's client. */
async function post(server: TestServer, path: string, body: object) {
  const key = await server.key('search');
  const headers = {
    ...(path.startsWith('/openai/') ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
    ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  };
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

// `npm run check:clients` runs the snippets for Node.js and Python with the real packages.
describe.each(files)('the snippets of the README with %s', (_name, file) => {
  let server: TestServer;
  let served: ServedFile;
  beforeAll(async () => {
    served = await file();
    server = await startServer({ yaml: served.yaml });
  });
  afterAll(() => server.close());

  test('the curl line gets a response with its cost', async () => {
    const line = codeBlocks(readme, 'sh').find((block) => block.startsWith('curl ')) ?? '';
    const [, path = ''] = /127\.0\.0\.1:8787(\S+)/.exec(line) ?? [];
    const [, body = ''] = / -d '(.*)'/.exec(line) ?? [];
    expect(line).toContain("-H 'authorization: Bearer mgk_…'");
    expect(JSON.parse(body).model).toBe('sim-echo');
    const response = await post(server, path, { ...JSON.parse(body), model: served.model });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: replyText } }] });
    expect(response.headers.get('x-cost-usd')).toBe('0.000006');
  });

  test("OpenAI's client gets responses below its base URL, whole and streamed", async () => {
    const [js = ''] = codeBlocks(readme, 'js');
    const [, base = ''] = /baseURL: 'http:\/\/127\.0\.0\.1:8787(\S+)'/.exec(js) ?? [];
    expect(js).toContain("model: 'sim-echo'");
    const body = { model: served.model, messages };
    const whole = await post(server, `${base}/chat/completions`, body);
    expect(await whole.json()).toMatchObject({ choices: [{ message: { content: replyText } }] });
    const streamed = await post(server, `${base}/chat/completions`, { ...body, stream: true });
    const text = await streamed.text();
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    expect(contentOf(text)).toBe(replyText);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("Anthropic's client gets responses if a model supports its messages", async () => {
    const [python = ''] = codeBlocks(readme, 'python');
    const [, base = ''] = /base_url="http:\/\/127\.0\.0\.1:8787(\S+)"/.exec(python) ?? [];
    const [, shown = ''] = /model="(\S+)"/.exec(python) ?? [];
    const model = served.anthropicModel ?? served.model;
    const response = await post(server, `${base}/v1/messages`, {
      ...{ model, max_tokens: 100, messages },
    });
    if (served.anthropicModel === undefined) {
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('does not support anthropic-messages');
      return;
    }
    expect(shown).toBe(model);
    expect(await response.json()).toMatchObject({ content: [{ text: replyText }] });
  });

  test('the streams below /v1 are on', async () => {
    const body = { model: served.model, maxTokens: 100, messages };
    const response = await post(server, '/v1/chat/stream', body);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('event: finish');
  });
});

/** The text of the deltas of a stream of chat completions. */
function contentOf(events: string): string {
  const contents = [...events.matchAll(/"content":"([^"]*)"/g)].map(([, text = '']) => text);
  return contents.join('');
}
