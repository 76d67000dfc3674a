import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Json, Reply } from './wires.ts';

/** A platform on a real socket that sends the test's response, whole or as a stream. */
export interface SpokenPlatform {
  readonly baseUrl: string;
  close(): void;
}

/** A request as the platform received it. */
export interface SpokenRequest {
  readonly path: string;
  readonly body: Json;
  readonly headers: IncomingHttpHeaders;
}

/** Starts it. `next` returns the reply to each request, at once or later. */
export async function startSpokenPlatform(
  next: (request: SpokenRequest) => Reply | Promise<Reply>,
): Promise<SpokenPlatform> {
  const server = createServer((incoming, outgoing) => {
    let text = '';
    incoming.on('data', (chunk) => {
      text += chunk;
    });
    incoming.on('end', async () => {
      const { url: path = '', headers } = incoming;
      const body = text === '' ? {} : JSON.parse(text);
      const { whole, events, status = 200 } = await next({ path, body, headers });
      const isStream = body.stream === true && status === 200;
      const type = isStream ? 'text/event-stream' : 'application/json';
      outgoing.writeHead(status, { 'content-type': type });
      const stream = () => events.map((event) => `data: ${textOf(event)}\n\n`).join('');
      outgoing.end(isStream ? stream() : textOf(whole));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function textOf(value: Json | string): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The start of a configuration with a model of each wire format on the platform. */
export function yamlOfWires(parts: {
  readonly baseUrl: string;
  readonly store: string;
  readonly price: string;
  readonly attempts: number;
}): string {
  const { baseUrl, store, price, attempts } = parts;
  return `
company: acme
store: "${store}"
platforms:
  up: { kind: openai-compatible, baseUrl: "${baseUrl}/v1", apiKey: sk-up-1234567890 }
  oa: { kind: openai, baseUrl: "${baseUrl}", apiKey: sk-oa-1234567890 }
  an: { kind: anthropic, baseUrl: "${baseUrl}/v1", apiKey: sk-an-1234567890 }
defaultPlatform: up
ingress: { openai: true, anthropic: true }
streaming: true
retry: { attempts: ${attempts}, baseMs: 1, capMs: 1 }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
models:
  - { id: chat, platform: up, ${price} }
  - { id: responses, platform: oa, pathFamily: v1-responses, ${price} }
  - { id: messages, platform: an, ${price} }
`;
}
