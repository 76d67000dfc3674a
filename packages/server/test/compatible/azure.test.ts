import OpenAI, { AzureOpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchangeRaw } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { checkBooks } from './support/check-books.ts';
import { models, startService } from './support/client-house.ts';

// Azure's clients have their own paths, and their own header for the key.

let server: TestServer;
beforeAll(async () => {
  server = await startService();
});
afterAll(() => server.close());

const apiVersion = '2026-05-01-preview';
const { echo } = models.chat;
const request = { model: echo, messages: [{ role: 'user' as const, content: 'Hello there' }] };

async function open(more: object = {}): Promise<AzureOpenAI> {
  return new AzureOpenAI({
    ...{ endpoint: server.url, apiKey: await server.key('team'), apiVersion },
    ...more,
  });
}

/** A body can name the model that its client expects, or any other model. */
test.each([
  ['deployments', (deployment: string) => [{ deployment }, 'gpt-3.5-turbo'] as const],
  ['the model as its deployment', (model: string) => [{}, model] as const],
])('Azure’s client with %s: whole, streamed, embeddings', async (_, of) => {
  const [chats, model] = of(echo);
  const { completions } = (await open(chats)).chat;
  const { choices } = await completions.create({ ...request, model });
  expect(choices[0]?.message.content).toBe('Hello there');
  const whole = await completions.stream({ ...request, model }).finalChatCompletion();
  expect(whole.choices[0]?.message.content).toBe('Hello there');
  const [embeddings, embed] = of(models.chat.embed);
  const client = await open(embeddings);
  const { data } = await client.embeddings.create({ model: embed, input: ['a', 'b'] });
  expect(data).toHaveLength(2);
});

test('an Entra token is the key as a bearer token', async () => {
  const key = await server.key('team');
  const azureADTokenProvider = async () => key;
  const client = new AzureOpenAI({ endpoint: server.url, apiVersion, azureADTokenProvider });
  const { choices } = await client.chat.completions.create(request);
  expect(choices[0]?.message.content).toBe('Hello there');
});

test('the client of OpenAI, with a version and both headers of a key', async () => {
  const apiKey = await server.key('team');
  const client = new OpenAI({
    ...{ baseURL: `${server.url}/openai/v1`, apiKey, defaultHeaders: { 'api-key': apiKey } },
    defaultQuery: { 'api-version': 'preview' },
  });
  const { choices } = await client.chat.completions.create(request);
  expect(choices[0]?.message.content).toBe('Hello there');
  const listed = await client.models.list();
  expect(listed.data.map(({ id }) => id)).toContain(echo);
  const { told } = models.responses;
  const response = await client.responses.create({ model: told, input: 'Hello' });
  expect(response.status).toBe('completed');
});

describe('the model', () => {
  async function ask(path: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${server.url}${path}?api-version=${apiVersion}`, {
      method: 'POST',
      headers: {
        ...{ 'api-key': await server.key('team'), 'content-type': 'application/json' },
        ...headers,
      },
      body,
    });
    return { status: response.status, json: JSON.parse(await response.text()) };
  }
  const messages = '"messages":[{"role":"user","content":"Hello"}]';

  test.each([
    ['is the deployment of a body that names none', echo, `{${messages}}`],
    ['is the deployment where the body has null', echo, `{"model":null,${messages}}`],
    ['is the deployment where the body names another', echo, `{"model":"gpt-4o",${messages}}`],
    ['is written with escapes', encodeURIComponent(echo).replace('-', '%2D'), `{${messages}}`],
  ])('%s', async (_, deployment, body) => {
    const { status, json } = await ask(`/openai/deployments/${deployment}/chat/completions`, body);
    expect([status, json.model]).toEqual([200, echo]);
  });

  test.each(['{', '[]', 'null', '""', '{}'])('of the body %s is ignored', async (body) => {
    const { status, json } = await ask(`/openai/deployments/${echo}/chat/completions`, body);
    expect([status, json.error.type]).toEqual([400, 'invalid_request_error']);
  });

  test('must not have a broken escape', async () => {
    const { status } = await ask('/openai/deployments/%zz/embeddings', '{"input":"a"}');
    expect(status).toBe(400);
  });

  test('of one idempotency key is that of its path', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await ask(
      `/openai/deployments/${echo}/chat/completions`,
      `{${messages}}`,
      headers,
    );
    const { told } = models.chat;
    const other = await ask(
      `/openai/deployments/${told}/chat/completions`,
      `{${messages}}`,
      headers,
    );
    expect([first.status, other.status]).toEqual([200, 400]);
  });
});

describe('keys', () => {
  const path = '/openai/v1/models';

  async function ask(lines: readonly string[], at = path) {
    const head = [`GET ${at} HTTP/1.1`, 'host: gateway.test', ...lines];
    return exchangeRaw(server.port, `${head.join('\r\n')}\r\n\r\n`);
  }

  test('may be in several headers if they are equal', async () => {
    const key = await server.key('team');
    const bearer = `Authorization: Bearer ${key}`;
    for (const lines of [[`api-key: ${key}`], [`api-key: ${key}`, bearer, `x-api-key: ${key}`]]) {
      expect((await ask(lines)).status).toBe(200);
    }
  });

  test.each([
    ['two that differ', (one: string, other: string) => [`api-key: ${one}`, `x-api-key: ${other}`]],
    ['a bearer that differs', (one: string, other: string) => [`api-key: ${one}`, bearerOf(other)]],
    ['one twice', (one: string) => [`api-key: ${one}`, `API-Key: ${one}`]],
    ['an empty one', () => ['api-key:']],
    ['an unknown one', () => ['api-key: sk-of-another-maker-altogether']],
  ])('%s is 401', async (_, linesOf) => {
    const keys = [await server.key('team'), await server.key('spent')] as const;
    const { status, text } = await ask(linesOf(...keys));
    expect([status, JSON.parse(text).error.code]).toEqual([401, 'invalid_api_key']);
  });

  test.each(['/v1/models', '/anthropic/v1/models'])('%s does not read the header', async (at) => {
    const { status } = await ask([`api-key: ${await server.key('team')}`], at);
    expect([401, 403]).toContain(status);
  });
});

test('the ledger has every call', async () => {
  await checkBooks(server);
});

function bearerOf(key: string): string {
  return `Authorization: Bearer ${key}`;
}
