import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { Scope } from '../../harness/scope.ts';

/** The data of one call on the wire, as the server itself reports it. */
export interface Exchange {
  readonly status: number;
  /** The project of the call; undefined without a project. */
  readonly project: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A proxy to a server. It keeps its own records, to compare the gateway's ledger with. */
export interface Relay {
  readonly url: string;
  /** The exchanges since the last call of this function. */
  taken(): readonly Exchange[];
}

const passedOn = ['content-type', 'authorization', 'x-api-key', 'anthropic-version'];
const passedBack = ['content-type', 'x-request-id', 'request-id', 'retry-after'];

/** Forwards between the gateway and a server, and changes nothing. */
export async function startRelay(scope: Scope, target: string): Promise<Relay> {
  let exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    const record = (exchange: Exchange) => exchanges.push(exchange);
    relay({ target, request, response, record }).catch((error: unknown) => {
      process.stderr.write(`relaying: ${error}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.add(async () => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port to listen on');
  return {
    url: `http://127.0.0.1:${address.port}`,
    taken() {
      const taken = exchanges;
      exchanges = [];
      return taken;
    },
  };
}

async function relay(parts: {
  readonly target: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  record(exchange: Exchange): void;
}): Promise<void> {
  const { target, request, response } = parts;
  const headers = new Headers();
  for (const name of passedOn) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const body = await text(request);
  const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body });
  const responseText = await answer.text();
  const project = request.headers['openai-project'] ?? request.headers['anthropic-workspace-id'];
  // Before the response is forwarded: the check reads the record once it has arrived.
  parts.record({ status: answer.status, project: project?.toString(), ...countsOf(responseText) });
  for (const name of passedBack) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.writeHead(answer.status).end(responseText);
}

/** The counts of a response, by either name of the wire formats. */
interface ReportedUsage {
  readonly prompt_tokens?: number;
  readonly input_tokens?: number;
  readonly completion_tokens?: number;
  readonly output_tokens?: number;
}

function countsOf(responseText: string) {
  const { usage = {} }: { readonly usage?: ReportedUsage } = JSON.parse(responseText);
  return {
    inputTokens: usage.prompt_tokens ?? usage.input_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? usage.output_tokens ?? 0,
  };
}
