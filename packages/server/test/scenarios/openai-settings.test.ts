// Clients of OpenAI's API through our own client's fetch and the whole service, on a real socket.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { addUsd, type ClientOptions } from '@model-gateway/sdk';
import { createOpenAiSettings } from '@model-gateway/sdk/openai';
import { generateText, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { billedUsd, expectClean, heldBy } from '../support/books.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { defaultYaml } from '../support/stack.ts';

const apps = ['whole', 'lost', 'outer', 'aborted', 'sdk']
  .map((name) => `  - { name: ${name}, dailyBudgetUsd: "5" }\n`)
  .join('');
const broke = `  - { name: broke, dailyBudgetUsd: "0.000001" }\n`;
const yaml = `${defaultYaml}${apps}${broke}streaming: true\ningress: { openai: true }\n`;
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ yaml });
});
afterAll(() => server.close());

async function settingsOf(app: string, options: ClientOptions = {}) {
  const apiKey = await server.key(app);
  return createOpenAiSettings({ baseUrl: `${server.url}/v1`, apiKey, ...options });
}

type Settings = Awaited<ReturnType<typeof settingsOf>>;

/** A completion request, as clients of OpenAI's API send it. */
function complete({ baseURL, apiKey, fetch }: Settings, more: Partial<Asked> = {}) {
  const { model = 'sim-echo', headers = {}, signal, ...fields } = more;
  const messages = [{ role: 'user', content: 'Hello, gateway!' }];
  return fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      ...headers,
    },
    body: JSON.stringify({ model, messages, ...fields }),
    ...(signal === undefined ? {} : { signal }),
  });
}

interface Asked {
  readonly model: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly stream: boolean;
  readonly stream_options: object;
}

/** Expects exactly these calls in the ledger and in the simulator's bill. */
async function expectPaid(app: string, costs: readonly (string | null)[]) {
  await expect.poll(() => heldBy(server.store, app)).toBe(0);
  const { totals } = await (await server.client(app)).usage();
  const usd = addUsd('0', ...costs.map(String));
  expect({ calls: totals.calls, usd: addUsd(totals.costUsd ?? '') }).toEqual({
    calls: costs.length,
    usd,
  });
  expect(billedUsd(server, app)).toBe(usd);
  await expectClean(server);
}

/** A fetch whose first response is lost on its way, when it has been paid for. */
function losingFetch(): { readonly fetch: typeof globalThis.fetch; readonly sent: string[] } {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    sent.push(new Headers(init?.headers).get('idempotency-key') ?? '');
    if (sent.length > 1) return response;
    await response.text();
    throw new TypeError('fetch failed');
  };
  return { fetch, sent };
}

describe('a completion', () => {
  test('is answered and streamed, with the amounts of the ledger', async () => {
    const settings = await settingsOf('whole');
    const whole = await complete(settings);
    expect(await whole.json()).toMatchObject({
      choices: [{ message: { content: 'Hello, gateway!' } }],
    });
    const stream_options = { include_usage: true };
    const streamed = await complete(settings, { stream: true, stream_options });
    const text = await streamed.text();
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    const usd = /"cost_usd":"([\d.]+)"/.exec(text)?.[1] ?? 'none';
    await expectPaid('whole', [whole.headers.get('x-cost-usd'), usd]);
  });

  test('whose response was lost is collected by its key, and paid once', async () => {
    const { fetch, sent } = losingFetch();
    const response = await complete(await settingsOf('lost', { fetch }));
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(new Set(sent).size).toBe(1);
    await expectPaid('lost', [response.headers.get('x-cost-usd')]);
  });

  test('that the outer client retries is paid once', async () => {
    const { fetch, sent } = losingFetch();
    const settings = await settingsOf('outer', { fetch, maxAttempts: 1 });
    const first = await complete(settings, { headers: { 'x-stainless-retry-count': '0' } });
    expect([first.status, first.headers.get('x-should-retry')]).toEqual([502, 'false']);
    const response = await complete(settings, { headers: { 'x-stainless-retry-count': '1' } });
    expect(response.status).toBe(200);
    expect(sent).toHaveLength(2);
    await expectPaid('outer', [response.headers.get('x-cost-usd')]);
  });

  test('that the outer client abandoned, and retries, is paid once', async () => {
    const settings = await settingsOf('aborted');
    const controller = new AbortController();
    const { signal } = controller;
    const asked = complete(settings, { model: 'sim-slow', signal });
    await expect.poll(() => heldBy(server.store, 'aborted')).toBe(1);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    const headers = { 'x-stainless-retry-count': '1' };
    const response = await complete(settings, { model: 'sim-slow', headers });
    expect(response.status).toBe(200);
    await expectPaid('aborted', [response.headers.get('x-cost-usd')]);
  });

  test('is 402 at once if the budget is spent, and nothing is called', async () => {
    const response = await complete(await settingsOf('broke'));
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([402, 'false']);
    expect(await response.json()).toMatchObject({ error: { code: 'insufficient_quota' } });
    await expectPaid('broke', []);
  });
});

test('the AI SDK uses them for its OpenAI-compatible provider', async () => {
  const settings = await settingsOf('sdk');
  const provider = createOpenAICompatible({ name: 'gateway', includeUsage: true, ...settings });
  const model = provider('sim-echo');
  const { text, response } = await generateText({ model, prompt: 'one two' });
  const stream = streamText({ model, prompt: 'one two' });
  expect([text, await stream.text]).toEqual(['one two', 'one two']);
  const cost = response.headers?.['x-cost-usd'] ?? 'none';
  await expectPaid('sdk', [cost, cost]);
});
