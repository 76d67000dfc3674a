import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exchange } from './connection.ts';
import { type Head, linesOf, pathOf, queryOf } from './head.ts';
import type { Peers } from './peers.ts';
import type { IncomingRequest } from './request.ts';

/** What of a request its head does not say. */
export type BodyOf = Pick<
  IncomingRequest,
  'announcedBytes' | 'readBody' | 'whenLeft' | 'whenTaken' | 'onKey'
>;

/** Of a request that is answered by its head alone. */
export const noBody: BodyOf = {
  announcedBytes: 0,
  readBody: async () => undefined,
  whenLeft: () => undefined,
  whenTaken: (run) => run(),
  onKey: () => undefined,
};

/** The body of an exchange, and what is told of its end. */
export function bodyOf(exchange: Exchange): BodyOf {
  const { body, connection } = exchange;
  return {
    announcedBytes: body.announcedBytes,
    readBody: body.read,
    whenLeft: (run) => connection.whenLeft(exchange, run),
    whenTaken: (run) => connection.whenTaken(exchange, run),
    onKey: connection.noteKey,
  };
}

/** The head as Node's parser has read it. */
export function headOf({
  method = '',
  url,
  httpVersion,
  rawHeaders,
  headers,
}: IncomingMessage): Head {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return { method, target: url ?? '/', httpVersion, rawHeaders, header };
}

/** What a head says of a request, its socket, and how its body is read. */
export function requestOf(
  head: Head,
  { socket, peers }: { readonly socket: Duplex; readonly peers: Pick<Peers, 'networkOf'> },
  body: BodyOf,
): IncomingRequest {
  const { method, target, header } = head;
  const address = socket instanceof Socket ? socket.remoteAddress : undefined;
  return {
    method,
    path: pathOf(target),
    query: queryOf(target),
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
