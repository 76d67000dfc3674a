import { bodyLimits } from '@model-gateway/contract';

/** How much a JSON text may hold, whatever its bytes; its numbers have one bound everywhere. */
export interface JsonBounds {
  /** Lists and objects within each other. */
  readonly depthMax: number;
  /** Values, those within others included. */
  readonly valuesMax: number;
  /** Names of the fields of all objects together. */
  readonly namesMax: number;
}

/** What a caller may send, and what a model may write for a caller to send back. ADR 0031. */
export const bodyBounds: JsonBounds = {
  depthMax: bodyLimits.jsonDepthMax,
  valuesMax: bodyLimits.jsonValuesMax,
  namesMax: bodyLimits.jsonNamesMax,
};

/**
 * A text of so few bytes holds fewer values and names than {@link bodyBounds}, whatever they are,
 * and is parsed in no time at any depth: those who look at depth afterwards need no scan of it.
 */
export const briefBytesMax = 16_384;

/** Which bound a text breaks, and at which byte that is known. */
export interface JsonExcess {
  readonly bound: 'depth' | 'values' | 'names' | 'number';
  readonly at: number;
}

const { jsonNumberCharactersMax } = bodyLimits;

/** The fault of a number that has more characters than {@link bodyLimits} allows. */
export const longNumber = `is a number of more than ${jsonNumberCharactersMax} characters; write it with fewer digits`;

/** The same fault of a text that holds such a number. */
export const holdsLongNumber = `has ${longNumber.slice('is '.length)}`;

/** What a scan went through: never more than the bounds and one. */
export interface JsonCounts {
  values: number;
  names: number;
}

/**
 * The first bound that JSON breaks, from its bytes alone. Parsing makes an object of each value,
 * which costs a hundred times what a byte costs: so what no caller means is found before. One pass
 * that ends at the first excess and makes nothing. It does not say whether the bytes are JSON: of
 * others it counts the same signs, and never runs beyond their end. Of a short text only the
 * brackets are counted, and long numbers looked for, where `counts` does not ask for more.
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

/** Whether a JSON text has a number of more characters than one may have. */
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
  /** The index behind the last sign or string: a number stands between two of them. */
  let start = 0;
  for (let at = 0; at < length; at++) {
    const byte = buffer[at] ?? 0;
    // Digits, letters and blanks: signs are few.
    if (isSign[byte] === 0) continue;
    const longAt = findLongNumber(buffer, start, at);
    if (longAt !== -1) return { bound: 'number', at: longAt };
    if (byte === quote) {
      at = endOfString(buffer, at + 1);
    } else if (byte === comma) {
      // Each value but the first of a list or an object stands behind one.
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
      // All that is left is a closing bracket or brace.
      depth -= 1;
    }
    start = at + 1;
  }
  const longAt = findLongNumber(buffer, start, length);
  return longAt === -1 ? undefined : { bound: 'number', at: longAt };
}

/** The index of the first character that a number has too many between two indexes; -1: none. */
function findLongNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start <= jsonNumberCharactersMax) return -1;
  let characters = 0;
  for (let at = start; at < end; at++) {
    characters = isOfNumber[bytes[at] ?? 0] === 1 ? characters + 1 : 0;
    if (characters > jsonNumberCharactersMax) return at;
  }
  return -1;
}

/** Of so few bytes it takes less to count the brackets than to tell strings from the rest. */
const shortBytesMax = 4_096;

/**
 * Whether a text is too short, or has too few brackets and digits in a row, to break any bound, be
 * it JSON or not.
 */
function isTooShort(bytes: Uint8Array, { depthMax, valuesMax, namesMax }: JsonBounds): boolean {
  const { length } = bytes;
  if (length > shortBytesMax || length > valuesMax || length > namesMax) return false;
  let openings = 0;
  let characters = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    // Both brackets that open something differ in this one bit.
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

/** By the byte. */
const isSign = new Uint8Array(256);
for (const sign of '",:[]{}') isSign[sign.charCodeAt(0)] = 1;
const isOfNumber = new Uint8Array(256);
for (const character of '0123456789+-.eE') isOfNumber[character.charCodeAt(0)] = 1;

/** Bytes of a string that are looked at one by one before the machine is asked for its quote. */
const stepsBeforeJump = 16;

/** The index of the quote that ends a string whose text begins at `start`; else the length. */
function endOfString(buffer: Buffer, start: number): number {
  let at = start;
  let jumpAt = start + stepsBeforeJump;
  for (; at < buffer.length; at++) {
    const byte = buffer[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
    else if (at >= jumpAt) {
      const found = buffer.indexOf(quote, at);
      if (found === -1) return buffer.length;
      if (!isEscaped(buffer, at, found)) return found;
      at = found;
      jumpAt = found + stepsBeforeJump;
    }
  }
  return buffer.length;
}

/** Whether the byte at `found` stands behind an odd number of backslashes, none before `start`. */
function isEscaped(buffer: Buffer, start: number, found: number): boolean {
  let first = found;
  while (first > start && buffer[first - 1] === backslash) first -= 1;
  return (found - first) % 2 === 1;
}
