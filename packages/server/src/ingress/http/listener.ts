import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Ingress } from '../ingress.ts';
import type { Answer } from './answer.ts';
import { createIncomingBody } from './body-reader.ts';
import { connectionOf, type Exchange } from './connection.ts';
import { type Head, isMalformed } from './head.ts';
import { bodyOf, headOf, noBody, requestOf } from './incoming-request.ts';
import { writeLastAnswer } from './last-answer.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { createParserErrors, type ParserError } from './parser-errors.ts';
import { createPeers, type Peers } from './peers.ts';
import { createSend } from './send.ts';

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
  const send = createSend({ server, http, peers, bodyBytesMax: ingress.bodyBytesMax });
  const meetError = createParserErrors(ingress, answerHead);
  server.on('checkContinue', (incoming, outgoing) => {
    void serve(incoming, outgoing, () => outgoing.writeContinue());
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    send(
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
    const request = requestOf(head, { socket: incoming.socket, peers }, bodyOf(exchange));
    send(exchange, await ingress.handle(request));
  }

  /** Node has let go of the socket: it is read on, so that a client that leaves is noticed. */
  async function refuseTunnel(incoming: IncomingMessage) {
    const { socket } = incoming;
    const connection = connectionOf(socket);
    connection.end(() => undefined);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => connection.isAnswering() && socket.destroy());
    socket.resume();
    const answer = await answerHead(headOf(incoming), socket);
    connection.end(() => writeLastAnswer(socket, answer));
  }

  /** The answer to a request without a body that is read. */
  async function answerHead(head: Head, socket: Duplex): Promise<Answer> {
    if (isMalformed(head)) return ingress.refuse('BAD_REQUEST');
    return ingress.handle(requestOf(head, { socket, peers }, noBody));
  }
}

/** What could be read in two ways ends its connection: what follows may be part of it. */
function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

function begin(incoming: IncomingMessage, outgoing: ServerResponse, onRead: () => void): Exchange {
  const connection = connectionOf(incoming.socket);
  const body = createIncomingBody(incoming, onRead);
  const watch = { isOpen: true, onLeft: undefined, onTaken: undefined };
  const exchange: Exchange = { incoming, outgoing, body, connection, watch };
  connection.begin(exchange);
  return exchange;
}
