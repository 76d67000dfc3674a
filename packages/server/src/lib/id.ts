import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

export interface Ids {
  /** `call_…`, sorts by creation time. */
  call(): string;
  /** `<prefix>_…`, sorts by creation time. */
  next(prefix: string): string;
  /** At least 0, below 1; for jitter only. */
  random(): number;
  /** Base62 characters, for secrets. */
  secret(characters: number): string;
}

/** A request and its call share an id body, so either id finds the record. */
export function callIdOf(requestId: string): string {
  return `call_${requestId.slice(requestId.indexOf('_') + 1)}`;
}

export function requestIdOf(callId: string): string {
  return `req_${callId.slice(callId.indexOf('_') + 1)}`;
}

/** Sorts before every call from that time on. */
export function firstCallIdAt(epochMs: number): string {
  return `call_${timeTextOf(Math.max(0, epochMs))}`;
}

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function createIds(clock: Clock, bytes: (size: number) => Uint8Array = randomBytes): Ids {
  const pool = createBytePool(bytes);
  const timeText = createTimeText();
  const randomText = createRandomText(bytes);
  const next = (prefix: string) => `${prefix}_${timeText(clock.now())}${randomText()}`;
  return {
    call: () => next('call'),
    next,
    random: () => pool.uint32() / 2 ** 32,
    secret: (characters) => secretText(pool, characters),
  };
}

function createTimeText(): (epochMs: number) => string {
  let lastMs = 0;
  let text = timeTextOf(lastMs);
  return (epochMs) => {
    if (epochMs !== lastMs) {
      lastMs = epochMs;
      text = timeTextOf(epochMs);
    }
    return text;
  };
}

/** 48 bits as 10 characters that sort by time. */
function timeTextOf(epochMs: number): string {
  let text = '';
  let rest = epochMs;
  for (let index = 0; index < 10; index++) {
    text = crockford.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** 80 bits as 16 characters, cut from one long text because joins cost more. */
function createRandomText(bytes: (size: number) => Uint8Array): () => string {
  let text = '';
  let used = 0;
  return () => {
    if (used >= text.length) {
      text = textOf(Buffer.from(bytes(4096)));
      used = 0;
    }
    used += 16;
    return text.slice(used - 16, used);
  };
}

function textOf(random: Buffer): string {
  for (let index = 0; index < random.length; index++) {
    random[index] = crockford.charCodeAt((random[index] ?? 0) % 32);
  }
  return random.toString('latin1');
}

function secretText(pool: BytePool, characters: number): string {
  let text = '';
  // 248 is the largest multiple of 62 in a byte; higher bytes would make some characters likelier.
  while (text.length < characters) {
    const byte = pool.byte();
    if (byte < 248) text += base62.charAt(byte % 62);
  }
  return text;
}

interface BytePool {
  byte(): number;
  uint32(): number;
}

function createBytePool(bytes: (size: number) => Uint8Array): BytePool {
  let buffer: Uint8Array = new Uint8Array(0);
  let used = 0;
  return { byte, uint32 };
  function byte(): number {
    if (used >= buffer.length) {
      buffer = bytes(4096);
      used = 0;
    }
    return buffer[used++] ?? 0;
  }
  function uint32(): number {
    return byte() * 2 ** 24 + byte() * 2 ** 16 + byte() * 2 ** 8 + byte();
  }
}

/** Epoch milliseconds, read from the id. */
export function madeAt(id: string): number {
  let epochMs = 0;
  const start = id.indexOf('_') + 1;
  for (let at = start; at < start + 10; at++) {
    epochMs = epochMs * 32 + crockford.indexOf(id.charAt(at));
  }
  return epochMs;
}
