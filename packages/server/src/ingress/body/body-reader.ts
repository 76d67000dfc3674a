import type { IncomingMessage } from 'node:http';
import type { OneShot } from '../../lib/one-shot.ts';
import type { BodyRoom, BrokenBody, ReadBody, ReceivedBody } from '../exchange/request.ts';

/**
 * Bytes above the limit that are read and dropped, so a sender that is still writing gets the
 * response.
 */
export const droppedBytesMax = 1_048_576;

export interface IncomingBody {
  /** 0: no body; undefined: unannounced. */
  readonly announcedBytes: number | undefined;
  /**
   * `too-long`: at once if announced; `no-room`: `room` is exhausted; `left`: the client
   * disconnected or `over` fired; undefined: no body. Later bytes are dropped.
   */
  read(limitBytes: number, room: BodyRoom, over: OneShot): Promise<ReadBody>;
  breakOff(why: BrokenBody): void;
  dropRest(bytesMax: number): Promise<void>;
}

/** `onRead` runs before the first byte is awaited. */
export function createIncomingBody(incoming: IncomingMessage, onRead?: () => void): IncomingBody {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  const hasBody = length !== undefined || coding !== undefined;
  const announcedBytes = length === undefined && hasBody ? undefined : Number(length ?? 0);
  let size = 0;
  let broken: BrokenBody | undefined;
  let onBroken: ((why: BrokenBody) => void) | undefined;
  return { announcedBytes, read, breakOff, dropRest };

  function read(limitBytes: number, room: BodyRoom, over: OneShot): Promise<ReadBody> {
    if (!hasBody) return Promise.resolve(undefined);
    if (broken !== undefined) return Promise.resolve(broken);
    if (announcedBytes !== undefined && announcedBytes > limitBytes) {
      return Promise.resolve('too-long');
    }
    onRead?.();
    return new Promise((resolve) => {
      let pieces: Buffer[] = [];
      let isOver = false;
      // `onFire` runs `onDisconnect` at once if the caller already disconnected.
      let unsubscribe = noop;
      const end = (outcome: ReadBody) => {
        if (isOver) return;
        isOver = true;
        pieces = [];
        unsubscribe();
        resolve(outcome);
      };
      const onDisconnect = () => end('left');
      incoming.on('data', (piece: Buffer) => {
        if (isOver) return;
        size += piece.length;
        const isTooLong = size > limitBytes;
        room.arrivedBytes = size;
        const isHeld = size <= room.heldBytes;
        if (!isTooLong && (isHeld || room.hasRoom(size))) {
          pieces.push(piece);
          return pauseBetweenReads(incoming, size);
        }
        incoming.pause();
        end(isTooLong ? 'too-long' : 'no-room');
      });
      incoming.on('end', () => end(joined(pieces)));
      incoming.on('error', onDisconnect);
      // `close` follows every complete body, too.
      incoming.on('close', onDisconnect);
      onBroken = end;
      unsubscribe = over.onFire(onDisconnect);
    });
  }

  function breakOff(why: BrokenBody) {
    broken = why;
    onBroken?.(why);
  }

  function dropRest(bytesMax: number): Promise<void> {
    return new Promise((resolve) => {
      if (incoming.readableEnded || incoming.destroyed) resolve();
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > bytesMax) resolve();
        pauseBetweenReads(incoming, size);
      });
      incoming.on('end', resolve);
      incoming.on('close', resolve);
      incoming.resume();
    });
  }
}

/** Yields: otherwise one socket can be read 32 times in one turn of the event loop. */
function pauseBetweenReads(incoming: IncomingMessage, size: number) {
  if (size < longBytes) return;
  incoming.pause();
  setImmediate(() => incoming.resume());
}

const longBytes = 65_536;

function noop() {}

function joined(pieces: readonly Buffer[]): ReceivedBody {
  const [first] = pieces;
  const bytes = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
  return { bytes, byteLength: bytes.byteLength, values: undefined };
}
