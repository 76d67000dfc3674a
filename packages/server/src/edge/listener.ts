import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type GatewayErrorName, headerNames } from '@model-gateway/contract';
import type { Answer } from '../inference/answer.ts';
import { systemClock } from '../lib/clock.ts';
import { createIncomingBody, droppedBytesMax, type IncomingBody } from './body-reader.ts';
import type { Edge } from './edge.ts';
import type { EdgeRequest } from './edge-request.ts';
import { httpOptions } from './http-options.ts';

/** The edge behind sockets. What Node's parser refuses by itself gets the gateway's bodies too. */
export function createListener(edge: Edge, options: ServerOptions = httpOptions): Server {
  const server = createServer(options, (incoming, outgoing) => {
    void serve(incoming, outgoing, () => undefined);
  });
  server.on('checkContinue', (incoming, outgoing) => {
    void serve(incoming, outgoing, () => outgoing.writeContinue());
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    const body = createIncomingBody(incoming, () => undefined);
    void send({ incoming, outgoing, body }, edge.refuse('EXPECTATION_FAILED'));
  });
  server.on('clientError', (error, socket) => {
    // A socket that has its answer may end amid a request: that is not one more.
    if (socket.writable) refuse(socket, edge.refuse(nameOf(error)));
    else socket.destroy();
  });
  server.on('connect', (_incoming, socket) => refuse(socket, edge.refuse('BAD_REQUEST')));
  return server;

  /** `onRead` is called when the body is wanted: some clients wait for it. */
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, onRead: () => void) {
    const body = createIncomingBody(incoming, onRead);
    const exchange = { incoming, outgoing, body };
    if (isMalformed(incoming)) return send(exchange, edge.refuse('BAD_REQUEST'));
    return send(exchange, await edge.handle(requestOf(exchange)));
  }

  async function send({ incoming, outgoing, body }: Exchange, answer: Answer) {
    if (outgoing.destroyed) return;
    const headers = { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) };
    if (incoming.complete || isSoonOver(incoming, body)) {
      outgoing.writeHead(answer.status, headers);
      outgoing.end(answer.body);
      // What nobody reads any more must not hold up the request behind it.
      if (!incoming.readableEnded) incoming.resume();
      return;
    }
    outgoing.writeHead(answer.status, { ...headers, connection: 'close' });
    outgoing.write(answer.body);
    // At its end the connection is cut; before, a client that still sends would miss the answer.
    await body.dropRest(edge.bodyBytesMax + droppedBytesMax);
    outgoing.end();
  }
}

/** Node drops what is left of a body itself: a short one need not cost its connection. */
const shortBodyBytesMax = 65_536;

/** Whether a body that nobody reads ends soon; who asks before sending may never send it. */
function isSoonOver({ headers }: IncomingMessage, { announcedBytes }: IncomingBody): boolean {
  if (announcedBytes === undefined || headers.expect !== undefined) return false;
  return announcedBytes <= shortBodyBytesMax;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: IncomingBody;
}

function requestOf({ incoming, outgoing, body }: Exchange): EdgeRequest {
  return {
    method: incoming.method ?? '',
    path: pathOf(incoming.url ?? '/'),
    header(name) {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    announcedBytes: body.announcedBytes,
    readBody: body.read,
    whenLeft(run) {
      outgoing.on('close', () => {
        if (!outgoing.writableFinished) run();
      });
    },
  };
}

/** The path of a request target; a proxy's absolute form has one, too. */
function pathOf(target: string): string {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  if (path.startsWith('/')) return path;
  return URL.canParse(path) ? new URL(path).pathname : path;
}

/** What Node's parser lets pass, and HTTP/1.1 or the contract does not. */
function isMalformed({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  if (httpVersion === '1.1' && headers.host === undefined) return true;
  return httpVersion === '0.9' || hasTwo(rawHeaders, headerNames.apiKey);
}

function hasTwo(rawHeaders: readonly string[], name: string): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) found += 1;
  }
  return found > 1;
}

function nameOf(error: Error & { code?: string }): GatewayErrorName {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT';
  return 'BAD_REQUEST';
}

/** How long a client whose request could not be parsed has to read the answer, and to go. */
const lingerMs = 2_000;

/** Answers on a socket whose request could not be parsed, and closes it. */
function refuse(socket: Duplex, { status, headers, body }: Answer) {
  // Node has let go of some of them: nobody else would hear one break, which would end the process,
  // or end one whose client stays.
  socket.on('error', () => socket.destroy());
  const cut = systemClock.after(lingerMs, () => socket.destroy());
  socket.on('close', cut.cancel);
  const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
}
