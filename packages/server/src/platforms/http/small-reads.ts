import type { OnReadOpts, Socket } from 'node:net';

/**
 * The most that is read of a stream at once. Of one that is held back as much again may have come,
 * and waits: docs/performance.md.
 */
const bytesMax = 8_192;

/** All sockets read into it, since each hands on a copy before the next one reads. */
const shared = Buffer.allocUnsafeSlow(bytesMax);

/** Node cuts copies that are shorter out of one that many share, and which any of them keeps. */
const pooledMax = 1_024;

/**
 * How a socket reads that brings very many small pieces: without it, Node takes 64 KiB for each of
 * them, and reads two of these ahead of a caller that is slow.
 */
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
