import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { droppedBytesMax, type IncomingBody } from '../body/body-reader.ts';
import type { Answer } from '../exchange/answer.ts';
import type { Sink } from '../exchange/sink.ts';
import type { Exchange } from './connection.ts';
import { writeLastAnswer } from './last-answer.ts';
import type { HttpOptions } from './options.ts';
import type { Peers } from './peers.ts';

export interface SendParts {
  readonly server: Pick<Server, 'keepAliveTimeoutBuffer'>;
  readonly http: HttpOptions;
  readonly peers: Pick<Peers, 'isProxy'>;
  readonly bodyBytesMax: number;
}

/** Also drops the unread body, or ends its connection. */
export type Send = (exchange: Exchange, answer: Answer) => void;

export function createSend({ server, http, peers, bodyBytesMax }: SendParts): Send {
  return send;

  function send(exchange: Exchange, answer: Answer) {
    const { incoming, outgoing, body, connection } = exchange;
    if (outgoing.destroyed) return answer.stream?.leave();
    if (answer.stream !== undefined) {
      outgoing.writeHead(answer.status, answer.headers);
      if (answer.stream.isReady === true) limitUnread(outgoing);
      return answer.stream.open(sinkOf(outgoing, () => cutUnread(outgoing)));
    }
    if (connection.ending?.last === exchange) {
      const { socket, method } = incoming;
      return connection.end(() => writeLastAnswer(socket, answer, method), exchange);
    }
    const headers: Record<string, string | number> = { ...answer.headers };
    headers['content-length'] = Buffer.byteLength(answer.body);
    if (incoming.complete || isSoonOver(incoming, body)) {
      const keepAlive = keepAliveOf(exchange, 'connection' in headers);
      if (keepAlive !== undefined) headers['keep-alive'] = keepAlive;
      outgoing.writeHead(answer.status, headers);
      outgoing.end(answer.body);
      cutUnread(outgoing);
      // A response without a reader must not block the next request.
      if (!incoming.readableEnded) incoming.resume();
      return;
    }
    outgoing.writeHead(answer.status, { ...headers, connection: 'close' });
    outgoing.write(answer.body);
    cutUnread(outgoing);
    // After the response the connection ends. Ending it earlier hides the response from a client
    // that is still sending.
    void body.dropRest(bodyBytesMax + droppedBytesMax).then(() => outgoing.end());
  }

  function keepAliveOf(exchange: Exchange, isClosing: boolean): string | undefined {
    const { incoming, outgoing, connection } = exchange;
    const { socket } = incoming;
    if (connection.hasKey || peers.isProxy(socket.remoteAddress)) return undefined;
    if (!outgoing.shouldKeepAlive || isClosing) return undefined;
    // Node's idle timeout begins here, too; the next request ends both.
    outgoing.on('finish', () => {
      if (connection.isAnswering(exchange)) return;
      socket.setTimeout(http.keylessKeepAliveTimeout + server.keepAliveTimeoutBuffer);
    });
    return `timeout=${Math.floor(http.keylessKeepAliveTimeout / 1_000)}`;
  }

  /** Disconnects a client that reads nothing for a while; any progress resets the time. */
  function cutUnread(outgoing: ServerResponse) {
    const { socket } = outgoing;
    // Usually the system has taken all bytes by now.
    if (socket === null || socket.writableLength > 0) limitUnread(outgoing);
  }

  function limitUnread(outgoing: ServerResponse) {
    outgoing.setTimeout(http.unreadTimeout);
    outgoing.prependListener('finish', () => outgoing.setTimeout(0));
  }
}

/** Node reads the rest of a body; a short one need not cost its connection. */
const shortBodyBytesMax = 65_536;

/** A client that waits for `100-continue` might never send its body. */
function isSoonOver({ headers }: IncomingMessage, { announcedBytes }: IncomingBody): boolean {
  if (announcedBytes === undefined || headers.expect !== undefined) return false;
  return announcedBytes <= shortBodyBytesMax;
}

/**
 * `onEnd` runs after the end. Node makes four writes and one more turn per chunk. So chunks after
 * the first are framed here, as one socket write each; Node writes only the head and the end.
 */
export function sinkOf(outgoing: ServerResponse, onEnd: () => void): Sink {
  let hasWritten = false;
  return {
    write(text, bytes, onAccepted) {
      // A write to a disconnected client would emit an error without a handler.
      if (outgoing.destroyed) return;
      const done = (error?: Error | null) => {
        if (!(error instanceof Error)) onAccepted();
      };
      const { socket } = outgoing;
      // Bytes that Node still buffers go first: the head, or a response behind other responses.
      const isHeld = socket === null || !hasWritten || socket.writableCorked > 0;
      hasWritten = true;
      if (isHeld || !outgoing.chunkedEncoding) return void outgoing.write(text, done);
      if (!socket.writable) return;
      const encoding = bytes === text.length ? 'latin1' : 'utf8';
      socket.write(`${bytes.toString(16)}\r\n${text}\r\n`, encoding, done);
    },
    end() {
      outgoing.end();
      onEnd();
    },
    destroy: () => void outgoing.destroy(),
    isBehind: () => outgoing.socket === null,
  };
}
