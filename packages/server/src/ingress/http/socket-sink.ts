import type { ServerResponse } from 'node:http';
import type { Sink } from '../exchange/sink.ts';

/**
 * `onEnd` runs after its end. Node makes four writes and an extra turn per chunk. So chunks after
 * the first are framed here, as one socket write each; Node writes only the head and the end.
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
