import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { GatewayErrorName } from '@model-gateway/contract';
import type { Ingress } from '../ingress.ts';
import type { Answer } from './answer.ts';
import { createIncomingBody, droppedBytesMax, type IncomingBody } from './body-reader.ts';
import { type Connection, connectionOf, type Exchange } from './connection.ts';
import { type Head, isMalformed, linesOf, pathOf, readUnknownMethod } from './head.ts';
import { writeLastAnswer } from './last-answer.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { createPeers, type Peers } from './peers.ts';
import type { IncomingRequest } from './request.ts';

/** What a listener is made of besides its ingress. */
export interface ListenerParts {
  readonly http?: HttpOptions;
  readonly peers?: Peers;
}

/** The ingress behind sockets. What the parser refuses by itself gets the gateway’s bodies too. */
export function createListener(ingress: Ingress, parts: ListenerParts = {}): Server {
  const { http = httpOptions, peers = createPeers() } = parts;
  const server = createServer(http, (incoming, outgoing) => {
    void serve(incoming, outgoing, () => undefined);
  });
  server.on('checkContinue', (incoming, outgoing) => {
    void serve(incoming, outgoing, () => outgoing.writeContinue());
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    void send(
      begin(incoming, outgoing, () => undefined),
      ingress.refuse('EXPECTATION_FAILED'),
    );
  });
  server.on('clientError', (error: ParserError, socket) => meetError(error, socket));
  server.on('connect', (incoming) => void refuseTunnel(incoming));
  return server;

  /** `onRead` is called when the body is wanted: some clients wait for it. */
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, onRead: () => void) {
    const exchange = begin(incoming, outgoing, onRead);
    const head = headOf(incoming);
    if (isMalformed(head)) return send(exchange, closing(ingress.refuse('BAD_REQUEST')));
    return send(exchange, await ingress.handle(requestOf(head, incoming.socket, bodyOf(exchange))));
  }

  async function send(exchange: Exchange, answer: Answer) {
    const { incoming, outgoing, body, connection } = exchange;
    if (outgoing.destroyed) return;
    if (connection.isEndingWith(exchange)) {
      return connection.end(lastAnswer(incoming.socket, answer), exchange);
    }
    const headers: Record<string, string | number> = { ...answer.headers };
    headers['content-length'] = Buffer.byteLength(answer.body);
    if (incoming.complete || isSoonOver(incoming, body)) {
      const keepAlive = keepAliveOf(exchange, 'connection' in headers);
      if (keepAlive !== undefined) headers['keep-alive'] = keepAlive;
      outgoing.writeHead(answer.status, headers);
      outgoing.end(answer.body);
      cutUnread(outgoing);
      // What nobody reads any more must not hold up the request behind it.
      if (!incoming.readableEnded) incoming.resume();
      return;
    }
    outgoing.writeHead(answer.status, { ...headers, connection: 'close' });
    outgoing.write(answer.body);
    cutUnread(outgoing);
    // At its end the connection is cut; before, a client that still sends would miss the answer.
    await body.dropRest(ingress.bodyBytesMax + droppedBytesMax);
    outgoing.end();
  }

  /** Who has shown no key yet keeps an idle connection for a moment only. */
  function keepAliveOf(exchange: Exchange, isClosing: boolean): string | undefined {
    const { incoming, outgoing, connection } = exchange;
    const { socket } = incoming;
    if (connection.hasKey() || peers.isProxy(socket.remoteAddress)) return undefined;
    if (!outgoing.shouldKeepAlive || isClosing) return undefined;
    // Node's own time for an idle connection begins here, too; the next request ends either.
    outgoing.on('finish', () => {
      if (connection.isAnswering(exchange)) return;
      socket.setTimeout(http.keylessKeepAliveTimeout + server.keepAliveTimeoutBuffer);
    });
    return `timeout=${Math.floor(http.keylessKeepAliveTimeout / 1_000)}`;
  }

  /** A client that takes nothing of its answer for a while is cut; one that takes some is not. */
  function cutUnread(outgoing: ServerResponse) {
    const { socket } = outgoing;
    // Mostly all of it is with the system by now.
    if (socket !== null && socket.writableLength === 0) return;
    outgoing.setTimeout(http.unreadTimeout);
    outgoing.prependListener('finish', () => outgoing.setTimeout(0));
  }

  /** What comes on a socket is no request, or the rest of one does not come. */
  function meetError(error: ParserError, socket: Duplex) {
    const connection = connectionOf(socket);
    if (!socket.writable) return socket.destroy();
    // Whatever else comes behind what was refused is dropped.
    if (connection.isEnding()) return;
    const arriving = connection.arriving();
    // Who says that nothing more comes has left: he does not wait for the answers before.
    if (socket.readableEnded && connection.isAnswering(arriving)) return socket.destroy();
    if (arriving !== undefined) return breakOff(arriving, nameOf(error));
    const unknown = unknownMethodOf(error);
    if (unknown?.head !== undefined) return refuseMethod(connection, socket, unknown.head);
    connection.end(() => {
      const answer =
        unknown === undefined
          ? ingress.refuse(nameOf(error))
          : ingress.refuseMethod(unknown.method, pathOf(unknown.target));
      writeLastAnswer(socket, answer);
    });
  }

  /** A request gets one final answer: the one that it has, or the one that says what is wrong. */
  function breakOff(exchange: Exchange, name: GatewayErrorName) {
    const { incoming, outgoing, body, connection } = exchange;
    const { socket } = incoming;
    if (!outgoing.headersSent) {
      connection.end(() => undefined, exchange);
      return body.breakOff(name === 'REQUEST_TIMEOUT' ? 'late' : 'malformed');
    }
    outgoing.end();
    connection.end(() => socket.destroySoon());
  }

  /** A method that the parser does not know, with all of its head: judged as any other. */
  async function refuseMethod(connection: Connection, socket: Duplex, head: Head) {
    connection.end(() => undefined);
    connection.end(lastAnswer(socket, await answerTo(head, socket)));
  }

  /** Node has let go of the socket: it is read on, so that a client that leaves is noticed. */
  async function refuseTunnel(incoming: IncomingMessage) {
    const { socket } = incoming;
    const connection = connectionOf(socket);
    connection.end(() => undefined);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => connection.isAnswering() && socket.destroy());
    socket.resume();
    connection.end(lastAnswer(socket, await answerTo(headOf(incoming), socket)));
  }

  /** The answer to a request without a body that is read. */
  async function answerTo(head: Head, socket: Duplex): Promise<Answer> {
    if (isMalformed(head)) return ingress.refuse('BAD_REQUEST');
    return ingress.handle(requestOf(head, socket, noBody));
  }

  /** What a head says of a request, its socket, and how its body is read. */
  function requestOf(head: Head, socket: Duplex, body: BodyOf): IncomingRequest {
    const { method, target, header } = head;
    const address = socket instanceof Socket ? socket.remoteAddress : undefined;
    return {
      method,
      path: pathOf(target),
      header,
      isRepeated: (name) => linesOf(head, name) > 1,
      remote: peers.networkOf(address, header('x-forwarded-for')),
      announcedBytes: body.announcedBytes,
      readBody: body.readBody,
      whenLeft: body.whenLeft,
      whenTaken: body.whenTaken,
      onKey: body.onKey,
    };
  }
}

/** What of a request its head does not say. */
type BodyOf = Pick<
  IncomingRequest,
  'announcedBytes' | 'readBody' | 'whenLeft' | 'whenTaken' | 'onKey'
>;

const noBody: BodyOf = {
  announcedBytes: 0,
  readBody: async () => undefined,
  whenLeft: () => undefined,
  whenTaken: (run) => run(),
  onKey: () => undefined,
};

function bodyOf(exchange: Exchange): BodyOf {
  const { body, connection } = exchange;
  return {
    announcedBytes: body.announcedBytes,
    readBody: body.read,
    whenLeft: (run) => connection.whenLeft(exchange, run),
    whenTaken: (run) => connection.whenTaken(exchange, run),
    onKey: connection.noteKey,
  };
}

/** What could be read in two ways ends its connection: what follows may be part of it. */
function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

function lastAnswer(socket: Duplex, answer: Answer) {
  return () => writeLastAnswer(socket, answer);
}

function begin(incoming: IncomingMessage, outgoing: ServerResponse, onRead: () => void): Exchange {
  const connection = connectionOf(incoming.socket);
  const body = createIncomingBody(incoming, onRead);
  const watch = { isOpen: true, onLeft: undefined, onTaken: undefined };
  const exchange: Exchange = { incoming, outgoing, body, connection, watch };
  connection.begin(exchange);
  return exchange;
}

/** Node drops what is left of a body itself: a short one need not cost its connection. */
const shortBodyBytesMax = 65_536;

/** Whether a body that nobody reads ends soon; who asks before sending may never send it. */
function isSoonOver({ headers }: IncomingMessage, { announcedBytes }: IncomingBody): boolean {
  if (announcedBytes === undefined || headers.expect !== undefined) return false;
  return announcedBytes <= shortBodyBytesMax;
}

function headOf({ method = '', url, httpVersion, rawHeaders, headers }: IncomingMessage): Head {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return { method, target: url ?? '/', httpVersion, rawHeaders, header };
}

/** What Node's parser says, and of what. */
type ParserError = Error & {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

function unknownMethodOf({ code, rawPacket, bytesParsed }: ParserError) {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return undefined;
  return readUnknownMethod(rawPacket, bytesParsed ?? 0);
}

function nameOf({ code }: ParserError): GatewayErrorName {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT';
  return 'BAD_REQUEST';
}
