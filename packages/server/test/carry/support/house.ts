import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect } from 'vitest';
import { isRecord } from '../../../src/lib/json-value.ts';
import { expectClean, heldBy } from '../../support/books.ts';
import { type Exchange, send } from '../../support/exchange.ts';
import { openStack, type Stack } from '../../support/stack.ts';
import { vendors } from './vendors.ts';

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "2"';
const rowOf = (id: string, platform: string, more = '') =>
  `  - { id: ${id}, platform: ${platform}, ${prices}${more} }`;

function yamlAt(url: string, store: string) {
  return `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, anthropic: true }
platforms:
  chat: { kind: openai-compatible, baseUrl: "${url}/v1" }
  messages: { kind: anthropic, apiKey: sk-ant-test, baseUrl: "${url}" }
  sandbox: { kind: simulator }
  sdk-chat: { kind: ai-sdk, package: "@ai-sdk/openai-compatible", options: { name: any, baseURL: "${url}/v1" } }
  sdk-messages: { kind: ai-sdk, package: "@ai-sdk/anthropic", options: { apiKey: x, baseURL: "${url}/v1" } }
  sdk-gemini: { kind: ai-sdk, package: "@ai-sdk/google", options: { apiKey: x, baseURL: "${url}/v1beta" } }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
apps: [{ name: search, dailyBudgetUsd: "5000", projects: { messages: wrkspc_search } }]
models:
${rowOf('deepseek', 'chat')}
${rowOf('deepseek-2', 'chat')}
${rowOf('gemini', 'chat')}
${rowOf('openrouter', 'chat')}
${rowOf('claude', 'messages')}
${rowOf('gpt', 'chat', ', speaks: [responses]')}
${rowOf('sdk-deepseek', 'sdk-chat', ', upstreamModel: deepseek')}
${rowOf('sdk-claude', 'sdk-messages', ', upstreamModel: claude')}
${rowOf('sdk-google', 'sdk-gemini', ', upstreamModel: google')}
${rowOf('groq', 'chat', ', carryFields: [reasoning]')}
  - { id: either, route: [sim-throttled, deepseek], fallbackOn: [throttled] }
`;
}

/** A request as its platform received it. */
export type Sent = Readonly<Record<string, unknown>>;

/** A service whose platforms imitate the vendors. */
export interface VendorHouse {
  readonly stack: () => Stack;
  /** The requests since the last call of this function. */
  readonly sent: () => readonly Sent[];
  /** From now on streams break after this many events; undefined: they end normally. */
  readonly breakAfter: (events: number | undefined) => void;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Exchange>;
}

/** Opens it before the tests of a file, on a store that is created for it. */
export function openVendorHouse(storeAt: () => Promise<string> = ownFile): VendorHouse {
  let stack: Stack | undefined;
  let sent: Sent[] = [];
  let eventsMax: number | undefined;
  const server = createServer((request, response) => {
    void answer(request, response, eventsMax).then((body) => sent.push(body));
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = isRecord(address) ? address.port : 0;
    stack = await openStack({ yaml: yamlAt(`http://127.0.0.1:${port}`, await storeAt()) });
  });
  afterAll(async () => {
    await stack?.close();
    server.close();
    server.closeAllConnections();
  });
  const opened = () => {
    if (stack === undefined) throw new Error('it is opened before the tests');
    return stack;
  };
  return {
    stack: opened,
    sent() {
      const all = sent;
      sent = [];
      return all;
    },
    breakAfter(events) {
      eventsMax = events;
    },
    async post(path, body, more = {}) {
      const { key, store } = opened();
      const headers = {
        authorization: `Bearer ${await key('search')}`,
        ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...more },
      };
      const told = await send(opened(), path, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      });
      expect(await heldBy(store, 'search')).toBe(0);
      await expectClean(opened());
      return told;
    },
  };
}

const ownFile = async () => 'sqlite:./gateway.db';

/**
 * The response of the vendor that the model names. A second model of a vendor is its own family.
 */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  eventsMax?: number,
): Promise<Sent> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body: unknown = JSON.parse(text);
  const fields = isRecord(body) ? body : {};
  const { url = '' } = request;
  // Google has the model in its path.
  const model = url.includes(':') ? 'google' : String(fields.model).replace(/-\d$/, '');
  const vendor = Object.entries(vendors).find(([name]) => name === model)?.[1] ?? vendors.deepseek;
  const isStream = fields.stream === true || url.includes(':stream');
  const reply = vendor({ body: fields, isStream });
  response.writeHead(reply.status, reply.headers);
  if (eventsMax === undefined) response.end(reply.body);
  else {
    const events = String(reply.body)
      .split(/(?<=\n\n)/)
      .slice(0, eventsMax);
    response.write(`${events.join('')}: the end\n\n`, () => response.destroy());
  }
  return fields;
}
