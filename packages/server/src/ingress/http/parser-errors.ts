import type { Duplex } from 'node:stream';
import type { GatewayErrorName } from '@model-gateway/contract';
import type { Answer } from '../exchange/answer.ts';
import type { Ingress } from '../ingress.ts';
import { type Connection, connectionOf, type Exchange } from './connection.ts';
import { type Head, pathOf, readUnknownMethod, targetBefore } from './head.ts';
import { writeLastAnswer } from './last-answer.ts';

export type ParserError = Error & {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

type UnknownHead = ReturnType<typeof readUnknownMethod>;

export interface ParserErrorParts {
  readonly ingress: Pick<Ingress, 'refuse' | 'refuseMethod'>;
  readonly answerHead: (head: Head, socket: Duplex) => Promise<Answer>;
  readonly networkOf: (socket: Duplex) => string | undefined;
  /** The parser's limit, also for rejected heads. */
  readonly headBytesMax: number;
}

export function createParserErrors(
  parts: ParserErrorParts,
): (error: ParserError, socket: Duplex) => void {
  const { ingress, answerHead, networkOf, headBytesMax } = parts;
  return handleParserError;

  function handleParserError(error: ParserError, socket: Duplex) {
    const connection = connectionOf(socket);
    if (!socket.writable) return socket.destroy();
    // Input after the rejected request is dropped.
    if (connection.ending !== undefined) return;
    const arriving = connection.arriving();
    // A client that closed its side has disconnected; it does not wait for earlier responses.
    if (socket.readableEnded && connection.isAnswering(arriving)) return socket.destroy();
    if (arriving !== undefined) return breakOff(arriving, nameOf(error));
    const unknown = unknownMethodOf(error);
    if (typeof unknown === 'object' && unknown.head !== undefined) {
      return refuseMethod(connection, socket, unknown.head);
    }
    connection.end(() => writeLastAnswer(socket, answerTo(error, unknown, networkOf(socket))));
  }

  function answerTo(error: ParserError, unknown: UnknownHead, remote: string | undefined): Answer {
    if (typeof unknown === 'object') {
      return ingress.refuseMethod(unknown.method, pathOf(unknown.target), remote);
    }
    const name = unknown === 'too-long' ? 'HEADERS_TOO_LARGE' : nameOf(error);
    return ingress.refuse(name, brokenPathOf(error), remote);
  }

  async function refuseMethod(connection: Connection, socket: Duplex, head: Head) {
    connection.end(() => undefined);
    const answer = await answerHead(head, socket);
    connection.end(() => writeLastAnswer(socket, answer));
  }

  function unknownMethodOf({ code, rawPacket, bytesParsed }: ParserError): UnknownHead {
    if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return undefined;
    return readUnknownMethod(rawPacket, bytesParsed ?? 0, headBytesMax);
  }

  /** Empty if the request line came in an earlier packet, or never. */
  function brokenPathOf({ rawPacket, bytesParsed = 0 }: ParserError): string {
    const target = rawPacket && targetBefore(rawPacket, bytesParsed, headBytesMax);
    return target === undefined ? '' : pathOf(target);
  }
}

/** Exactly one final response: a pending one wins over the error. */
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

function nameOf({ code }: ParserError): GatewayErrorName {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TIMEOUT';
  return 'BAD_REQUEST';
}
