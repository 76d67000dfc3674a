import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { GatewayErrorName } from '@model-gateway/contract';
import { createIncomingBody } from '../body/body-reader.ts';
import type { Answer } from '../exchange/answer.ts';
import type { IncomingRequest } from '../exchange/request.ts';
import type { Ingress } from '../ingress.ts';
import { connectionOf, type Exchange } from './connection.ts';
import { type Head, headOf, isMalformed } from './head.ts';
import { writeLastAnswer } from './last-answer.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { createParserErrors, type ParserError } from './parser-errors.ts';
import { createPeers, type Peers } from './peers.ts';
import { acceptPipelined } from './pipelining.ts';
import { createSend } from './send.ts';

export interface ListenerParts {
  readonly http?: HttpOptions;
  readonly peers?: Peers;
}

/** Also answers the parser's rejections, with the gateway's bodies. */
export function createListener(ingress: Ingress, parts: ListenerParts = {}): Server {
  const { http = httpOptions, peers = createPeers() } = parts;
  const server = createServer(http, serve);
  const send = createSend({ server, http, peers, bodyBytesMax: ingress.bodyBytesMax });
  const handleParserError = createParserErrors({
    ...{ ingress, answerHead, headBytesMax: http.maxHeaderSize },
    // Without a request head no proxy can name its client.
    networkOf: (socket) => networkOf(socket, () => undefined),
  });
  server.on('checkContinue', (incoming, outgoing) => {
    void serve(incoming, outgoing, () => outgoing.writeContinue());
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    const exchange = begin(incoming, outgoing);
    if (exchange === undefined) return;
    send(exchange, refuse('EXPECTATION_FAILED', headOf(incoming), incoming.socket));
  });
  server.on('clientError', (error: ParserError, socket) => handleParserError(error, socket));
  server.on('connect', (incoming) => void refuseTunnel(incoming));
  return server;

  /** `onRead`: some clients wait for it before they send a body. */
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, onRead?: () => void) {
    const exchange = begin(incoming, outgoing, onRead);
    if (exchange === undefined) return;
    const head = headOf(incoming);
    const { socket } = incoming;
    if (isMalformed(head)) return send(exchange, closing(refuse('BAD_REQUEST', head, socket)));
    const { body, connection, whenDisconnected, whenAccepted } = exchange;
    const request = requestOf(head, peers.networkOf(socket.remoteAddress, head.header), {
      announcedBytes: body.announcedBytes,
      readBody: body.read,
      whenDisconnected,
      whenAccepted,
      onKey: connection.noteKey,
    });
    send(exchange, await ingress.handle(request));
  }

  /** Node released the socket; reading detects a disconnected client. */
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

  async function answerHead(head: Head, socket: Duplex): Promise<Answer> {
    if (isMalformed(head)) return refuse('BAD_REQUEST', head, socket);
    return ingress.handle(requestOf(head, networkOf(socket, head.header), noBody));
  }

  function refuse(name: GatewayErrorName, { path, header }: Head, socket: Duplex): Answer {
    return ingress.refuse(name, path, networkOf(socket, header));
  }

  function networkOf(socket: Duplex, header: Head['header']) {
    return peers.networkOf(socket instanceof Socket ? socket.remoteAddress : undefined, header);
  }
}

function requestOf(head: Head, remote: string | undefined, body: BodyOf): IncomingRequest {
  const { method, path, query, header, isRepeated } = head;
  return {
    method,
    path,
    query,
    header,
    isRepeated,
    remote,
    announcedBytes: body.announcedBytes,
    readBody: body.readBody,
    whenDisconnected: body.whenDisconnected,
    whenAccepted: body.whenAccepted,
    onKey: body.onKey,
  };
}

/** Ambiguous requests close the connection: the next bytes might belong to them. */
function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** Undefined above the limit for requests without a key. Rate limits apply to those with a key. */
function begin(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onRead?: () => void,
): Exchange | undefined {
  const body = createIncomingBody(incoming, onRead);
  const connection = connectionOf(incoming.socket);
  if (!connection.hasKey && !acceptPipelined(incoming, outgoing)) return undefined;
  return connection.begin(incoming, outgoing, body);
}

type BodyOf = Pick<
  IncomingRequest,
  'announcedBytes' | 'readBody' | 'whenDisconnected' | 'whenAccepted' | 'onKey'
>;

const noBody: BodyOf = {
  announcedBytes: 0,
  readBody: async () => undefined,
  whenDisconnected: () => undefined,
  whenAccepted: (run) => run(),
  onKey: () => undefined,
};
