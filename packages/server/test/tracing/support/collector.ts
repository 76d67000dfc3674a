import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A span as a collector gets it in OTLP's JSON. */
export interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
}

export interface Collector {
  readonly url: string;
  readonly spans: WireSpan[];
  readonly requestHeaders: IncomingMessage['headers'][];
  /** The resource attributes of the exporting process. */
  readonly resources: Readonly<Record<string, unknown>>[];
  /** All bodies, unchanged. */
  text(): string;
  close(): Promise<void>;
}

/** Responds to each export, with 200 by default. */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => response.end('{}'),
): Promise<Collector> {
  const spans: WireSpan[] = [];
  const requestHeaders: IncomingMessage['headers'][] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    requestHeaders.push(request.headers);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    bodies.push(body);
    for (const part of JSON.parse(body).resourceSpans) {
      resources.push(valuesOf(part.resource.attributes));
      for (const scope of part.scopeSpans) spans.push(...scope.spans.map(spanOf));
    }
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    ...{ url: `http://127.0.0.1:${port}`, spans, requestHeaders, resources },
    text: () => bodies.join('\n'),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface RawSpan extends Omit<WireSpan, 'attributes' | 'isError' | 'links'> {
  readonly attributes: readonly RawAttribute[];
  readonly links?: WireSpan['links'];
  readonly status: { readonly code: number };
}

interface RawAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function spanOf(raw: RawSpan): WireSpan {
  const { attributes, status, links = [] } = raw;
  return { ...raw, attributes: valuesOf(attributes), links, isError: status.code === 2 };
}

function valuesOf(attributes: readonly RawAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainOf(value)]));
}

function plainOf(value: RawAttribute['value']): unknown {
  const [[kind, content] = ['none', undefined]] = Object.entries(value);
  if (kind !== 'arrayValue') return content;
  const { values } = Object(content);
  return values.map(plainOf);
}
