import type { IncomingMessage } from 'node:http';

/** How much of a body beyond the limit is read and dropped, so that its sender sees the answer. */
export const droppedBytesMax = 1_048_576;

/** The body of one request on a socket. */
export interface IncomingBody {
  /**
   * Reads it: `too-long` comes at once when the announced length says so, undefined when there is
   * none. Rejects when the client leaves before its end.
   */
  read(limitBytes: number): Promise<Uint8Array | 'too-long' | undefined>;
  /** Reads and drops what is left, but no more than `bytesMax` of the whole. */
  dropRest(bytesMax: number): Promise<void>;
}

/** `onRead` is called before the first byte is waited for. */
export function createIncomingBody(incoming: IncomingMessage, onRead: () => void): IncomingBody {
  let size = 0;
  return { read, dropRest };

  function read(limitBytes: number): Promise<Uint8Array | 'too-long' | undefined> {
    const announced = incoming.headers['content-length'];
    if (announced === undefined && incoming.headers['transfer-encoding'] === undefined) {
      return Promise.resolve(undefined);
    }
    if (announced !== undefined && Number(announced) > limitBytes) {
      return Promise.resolve('too-long');
    }
    onRead();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        if (size <= limitBytes) {
          chunks.push(chunk);
          return;
        }
        incoming.off('data', onData);
        incoming.pause();
        resolve('too-long');
      };
      incoming.on('data', onData);
      incoming.on('end', () => {
        const [only] = chunks;
        resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size));
      });
      incoming.on('error', reject);
      incoming.on('close', () => reject(new Error('the client left before the end of its body')));
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
