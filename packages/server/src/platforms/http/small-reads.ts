import type { OnReadOpts, Socket } from 'node:net';

/** Maximum of one read. A held stream may have as much again waiting: docs/performance.md. */
const bytesMax = 8_192;

/** Shared by all sockets: each copies before the next reads. */
const shared = Buffer.allocUnsafeSlow(bytesMax);

/** Node pools shorter copies, and each keeps the whole pool alive. */
const pooledMax = 1_024;

/** By default Node takes 64 KiB for each small piece and reads two ahead of a slow caller. */
export const smallReads: { readonly highWaterMark: number; readonly onread: OnReadOpts } = {
  highWaterMark: bytesMax,
  onread: {
    buffer: shared,
    // Node calls it on the socket that has read.
    callback(this: Socket, length: number) {
      const piece =
        length < pooledMax ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length);
      shared.copy(piece, 0, 0, length);
      return this.push(piece);
    },
  },
};
