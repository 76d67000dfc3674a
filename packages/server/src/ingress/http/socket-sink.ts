import type { ServerResponse } from 'node:http';
import type { Sink } from '../exchange/sink.ts';

/**
 * Where a stream goes that answers over a socket; `onEnd` is called behind its end.
 *
 * A stream is very many small writes, and Node makes four of each, for the lines of its chunk, and
 * a turn of their own to join them. So what follows the first is framed here, and is one write to
 * the socket: Node has written the head by then, and only the end is left to it.
 */
export function sinkOf(outgoing: ServerResponse, onEnd: () => void): Sink {
  let hasWritten = false;
  return {
    write(text, bytes, onTaken) {
      // What is written to a client that has gone would be an error without a handler.
      if (outgoing.destroyed) return;
      const done = (error?: Error | null) => {
        if (!(error instanceof Error)) onTaken();
      };
      const { socket } = outgoing;
      // What Node holds still comes first: the head, and what waits behind other answers.
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
