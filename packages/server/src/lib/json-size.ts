import { bodyLimits } from '@model-gateway/contract';

/** Independent of the byte count; the limit on numbers is fixed elsewhere. */
export interface JsonBounds {
  readonly depthMax: number;
  readonly valuesMax: number;
  readonly namesMax: number;
}

/** Covers callers' requests, and model output that callers send back. ADR 0031. */
export const bodyBounds: JsonBounds = {
  depthMax: bodyLimits.jsonDepthMax,
  valuesMax: bodyLimits.jsonValuesMax,
  namesMax: bodyLimits.jsonNamesMax,
};

/**
 * Text this short cannot exceed the values and names of {@link bodyBounds} and parses fast at any
 * depth, so later depth checks need no scan.
 */
export const briefBytesMax = 16_384;

/** `at` is the byte that exceeds the limit. */
export interface JsonExcess {
  readonly bound: 'depth' | 'values' | 'names' | 'number';
  readonly at: number;
}

const { jsonNumberCharactersMax } = bodyLimits;

export const longNumber = `is a number of more than ${jsonNumberCharactersMax} characters; use fewer digits`;

export const longNumberProblem = `has ${longNumber.slice('is '.length)}`;

/** Never more than the limits plus one. */
export interface JsonCounts {
  values: number;
  names: number;
}

/**
 * Scans bytes before parsing, because each parsed value costs a hundred times its bytes. Stops at
 * the first excess and allocates nothing. Does not validate: in other bytes it counts the same
 * signs. In short text it counts only brackets and long numbers, unless `counts` is set.
 */
export function findExcess(
  bytes: Uint8Array,
  bounds: JsonBounds,
  counts?: JsonCounts,
): JsonExcess | undefined {
  if (counts === undefined && isTooShort(bytes, bounds)) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return scan(buffer, bounds, counts ?? { values: 0, names: 0 });
}

export function hasLongNumber(json: string): boolean {
  if (json.length <= jsonNumberCharactersMax) return false;
  return findExcess(Buffer.from(json), unbounded)?.bound === 'number';
}

const unbounded: JsonBounds = {
  depthMax: Number.POSITIVE_INFINITY,
  valuesMax: Number.POSITIVE_INFINITY,
  namesMax: Number.POSITIVE_INFINITY,
};

function scan(buffer: Buffer, bounds: JsonBounds, counts: JsonCounts): JsonExcess | undefined {
  const { depthMax, valuesMax, namesMax } = bounds;
  const { length } = buffer;
  let depth = 0;
  /** The index after the last sign or string; numbers are between two of them. */
  let start = 0;
  for (let at = 0; at < length; at++) {
    const byte = buffer[at] ?? 0;
    // Most bytes are digits, letters and blanks.
    if (isSign[byte] === 0) continue;
    const longAt = findLongNumber(buffer, start, at);
    if (longAt !== -1) return { bound: 'number', at: longAt };
    if (byte === quote) {
      at = endOfString(buffer, at + 1);
    } else if (byte === comma) {
      // Each value of a list or an object follows a comma, except the first.
      counts.values += 1;
      if (counts.values > valuesMax) return { bound: 'values', at };
    } else if (byte === colon) {
      counts.names += 1;
      if (counts.names > namesMax) return { bound: 'names', at };
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > depthMax) return { bound: 'depth', at };
      counts.values += 1;
      if (counts.values > valuesMax) return { bound: 'values', at };
    } else {
      // The remaining signs are closing brackets and braces.
      depth -= 1;
    }
    start = at + 1;
  }
  const longAt = findLongNumber(buffer, start, length);
  return longAt === -1 ? undefined : { bound: 'number', at: longAt };
}

function findLongNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start <= jsonNumberCharactersMax) return -1;
  let characters = 0;
  for (let at = start; at < end; at++) {
    characters = isOfNumber[bytes[at] ?? 0] === 1 ? characters + 1 : 0;
    if (characters > jsonNumberCharactersMax) return at;
  }
  return -1;
}

/** Below this size, counting all brackets is cheaper than skipping strings. */
const shortBytesMax = 4_096;

/** True if length, brackets and digit runs are too few to exceed a limit, JSON or not. */
function isTooShort(bytes: Uint8Array, { depthMax, valuesMax, namesMax }: JsonBounds): boolean {
  const { length } = bytes;
  if (length > shortBytesMax || length > valuesMax || length > namesMax) return false;
  let openings = 0;
  let characters = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    // The two opening brackets differ only in this bit.
    if ((byte | 0x20) === openBrace) openings += 1;
    characters = isOfNumber[byte] === 1 ? characters + 1 : 0;
    if (characters > jsonNumberCharactersMax) return false;
  }
  return openings <= depthMax;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

const isSign = new Uint8Array(256);
for (const sign of '",:[]{}') isSign[sign.charCodeAt(0)] = 1;
const isOfNumber = new Uint8Array(256);
for (const character of '0123456789+-.eE') isOfNumber[character.charCodeAt(0)] = 1;

/** A native search for the quote pays off only after this many bytes. */
const stepsBeforeJump = 16;

/** The length, if the quote is missing. */
function endOfString(buffer: Buffer, start: number): number {
  let at = start;
  let jumpAt = start + stepsBeforeJump;
  for (; at < buffer.length; at++) {
    const byte = buffer[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
    else if (at >= jumpAt) {
      const quoteAt = buffer.indexOf(quote, at);
      if (quoteAt === -1) return buffer.length;
      if (!isEscaped(buffer, at, quoteAt)) return quoteAt;
      at = quoteAt;
      jumpAt = quoteAt + stepsBeforeJump;
    }
  }
  return buffer.length;
}

function isEscaped(buffer: Buffer, start: number, quoteAt: number): boolean {
  let first = quoteAt;
  while (first > start && buffer[first - 1] === backslash) first -= 1;
  return (quoteAt - first) % 2 === 1;
}
