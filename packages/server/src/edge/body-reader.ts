import type { IncomingMessage } from 'node:http';
import type { ReadBody } from './edge-request.ts';

/** How much of a body beyond the limit is read and dropped, so that its sender sees the answer. */
export const droppedBytesMax = 1_048_576;

/** The body of one request on a socket. */
export interface IncomingBody {
  /** How long it says it is: 0 when there is none, undefined when it does not say. */
  readonly announcedBytes: number | undefined;
  /**
   * Reads it: `too-long` comes at once when the announced length says so, `no-room` as soon as
   * `hasRoom` says no to what has come, undefined when there is none. Rejects when the client
   * leaves before its end.
   */
  read(limitBytes: number, hasRoom: (bytes: number) => boolean): Promise<ReadBody>;
  /** Reads and drops what is left, but no more than `bytesMax` of the whole. */
  dropRest(bytesMax: number): Promise<void>;
}

/** `onRead` is called before the first byte is waited for. */
export function createIncomingBody(incoming: IncomingMessage, onRead: () => void): IncomingBody {
  const hasBody =
    incoming.headers['content-length'] !== undefined ||
    incoming.headers['transfer-encoding'] !== undefined;
  const announcedBytes = announcedOf(incoming);
  let size = 0;
  return { announcedBytes, read, dropRest };

  function read(limitBytes: number, hasRoom: (bytes: number) => boolean): Promise<ReadBody> {
    if (!hasBody) return Promise.resolve(undefined);
    if (announcedBytes !== undefined && announcedBytes > limitBytes) {
      return Promise.resolve('too-long');
    }
    onRead();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        const isTooLong = size > limitBytes;
        if (!isTooLong && hasRoom(size)) {
          chunks.push(chunk);
          return;
        }
        incoming.off('data', onData);
        incoming.pause();
        resolve(isTooLong ? 'too-long' : 'no-room');
      };
      incoming.on('data', onData);
      incoming.on('end', () => {
        const [only] = chunks;
        resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size));
      });
      incoming.on('error', reject);
      incoming.on('close', () => {
        // It comes behind every body, too; an error for each would cost as much as its JSON.
        if (!incoming.readableEnded)
          reject(new Error('the client left before the end of its body'));
      });
    });
  }

  function dropRest(bytesMax: number): Promise<void> {
    return new Promise((resolve) => {
      if (incoming.readableEnded || incoming.destroyed) resolve();
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > bytesMax) resolve();
      });
      incoming.on('end', resolve);
      incoming.on('close', resolve);
      incoming.resume();
    });
  }
}

function announcedOf({ headers }: IncomingMessage): number | undefined {
  if (headers['content-length'] !== undefined) return Number(headers['content-length']);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}
