import type { Vector } from '../../../domain/vector.ts';
import { parseJson } from '../../../lib/json-value.ts';
import { type ByteReader, type ReadResult, refusals } from '../../http/transport.ts';
import { floatsIn, hasLongItem, isNumber } from './floats.ts';

export interface VectorLimits {
  readonly bytesMax: number;
  readonly restBytesMax: number;
  readonly numbersMax: number;
}

export interface ReadCounts {
  parsedMax: number;
}

interface Begun {
  readonly kind: 'list' | 'text';
  readonly depth: number;
  carry: string;
  /** The last comma in the current bytes; -1: none. */
  commaAt: number;
  hasComma: boolean;
  readonly numbers: number[];
  /** Only numbers, or base64 without an escape, so far. */
  isPlain: boolean;
  isBroken: boolean;
}

/** Parsed at once: a number with its surroundings, or a whole base64 vector. */
const numberBytesMax = 4_096;
const textBytesMax = 524_288;

/**
 * Parses vectors, possibly a hundred megabytes of digits, in parts, so no other call waits. The
 * text contains their indexes in {@link vectors} instead; the rest is ordinary JSON.
 */
export class VectorReader implements ByteReader {
  readonly vectors: Vector[] = [];
  readonly #limits: VectorLimits;
  readonly #counts: ReadCounts | undefined;
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  #numbers = 0;
  #bytes = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The start of the last string, enough to recognize the name. */
  #name = '';
  #isNamed = false;
  #begun: Begun | undefined;

  constructor(limits: VectorLimits, counts?: ReadCounts) {
    this.#limits = limits;
    this.#counts = counts;
  }

  rest(): Buffer | undefined {
    return this.#bytes === 0 ? undefined : Buffer.concat(this.#rest);
  }

  read(chunk: Buffer): ReadResult {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.bytesMax) return refusals.tooLarge;
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#begun?.isPlain === true) at = this.#skip(this.#begun, chunk, at);
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        if (this.#readInString(byte) && this.#begun?.kind === 'text') {
          from = this.#endText(chunk, from, at);
        }
      } else if (isSign[byte] === 1) {
        from = this.#readSign(byte, chunk, from, at);
      }
    }
    return this.#store(chunk, from);
  }

  /** Jumps to the end of a vector or of the bytes, unless an unexpected sign precedes it. */
  #skip(begun: Begun, chunk: Buffer, at: number): number {
    const isText = begun.kind === 'text';
    const closeAt = chunk.indexOf(isText ? quote : closeBracket, at);
    const end = closeAt === -1 ? chunk.length : closeAt;
    const plain = chunk.subarray(at, end);
    begun.isPlain = !(isText ? [backslash] : inner).some((sign) => plain.includes(sign));
    if (!begun.isPlain) return at;
    const commaAt = isText ? -1 : plain.lastIndexOf(comma);
    if (commaAt !== -1) begun.commaAt = at + commaAt;
    return end;
  }

  #readInString(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#inString = false;
      return true;
    }
    if (this.#name.length <= name.length) this.#name += String.fromCharCode(byte);
    return false;
  }

  /** Returns the offset from which bytes must be kept. */
  #readSign(byte: number, chunk: Buffer, from: number, at: number): number {
    const begun = this.#begun;
    if (byte === quote) {
      this.#inString = true;
      this.#name = '';
      if (begun === undefined && this.#isNamed) return this.#begin('text', chunk, from, at);
    } else if (byte === colon) {
      this.#isNamed = this.#name === name;
    } else if (byte === comma) {
      if (begun?.depth === this.#depth) begun.commaAt = at;
      this.#isNamed = false;
    } else if (byte === openBracket || byte === openBrace) {
      this.#depth += 1;
      if (begun === undefined && this.#isNamed && byte === openBracket) {
        return this.#begin('list', chunk, from, at + 1);
      }
      this.#isNamed = false;
    } else {
      const isEnd = begun?.depth === this.#depth;
      this.#depth -= 1;
      if (isEnd) return this.#endList(begun, chunk, from, at);
    }
    return from;
  }

  #begin(kind: Begun['kind'], chunk: Buffer, from: number, at: number): number {
    this.#isNamed = false;
    const start = kind === 'list' ? at - 1 : at;
    this.#keepRest(chunk.subarray(from, start));
    const depth = kind === 'list' ? this.#depth : -1;
    const state = { carry: '', commaAt: -1, hasComma: false, numbers: [] };
    this.#begun = { kind, depth, ...state, isPlain: true, isBroken: false };
    return at;
  }

  #endText(chunk: Buffer, from: number, at: number): number {
    const text = `${this.#begun?.carry ?? ''}${textOf(chunk, from, at + 1)}`;
    this.#count(text);
    const value = parseJson(text)?.value;
    this.#push(typeof value === 'string' ? floatsIn(value) : undefined);
    return at + 1;
  }

  #endList(begun: Begun, chunk: Buffer, from: number, at: number): number {
    this.#take(begun, chunk, from, at);
    const isEmpty = begun.carry.trim() === '' && !begun.hasComma;
    if (!isEmpty) this.#parse(begun, begun.carry);
    this.#push(begun.isBroken ? undefined : begun.numbers.every(isNumber) ? begun.numbers : []);
    return at + 1;
  }

  #push(vector: Vector | undefined) {
    if (this.#begun?.kind === 'text') this.#numbers += vector?.length ?? 0;
    this.#begun = undefined;
    this.#keepRest(Buffer.from(vector === undefined ? '!' : `"${this.vectors.length}"`));
    this.vectors.push(vector ?? []);
  }

  #take(begun: Begun, chunk: Buffer, from: number, end: number) {
    const { commaAt } = begun;
    if (commaAt < from) {
      begun.carry += textOf(chunk, from, end);
      return;
    }
    this.#parse(begun, begun.carry + textOf(chunk, from, commaAt));
    begun.hasComma = true;
    begun.commaAt = -1;
    begun.carry = textOf(chunk, commaAt + 1, end);
  }

  #parse(begun: Begun, text: string) {
    this.#count(text);
    const isRead = text.trim() !== '' && !hasLongItem(text);
    const value = isRead ? parseJson(`[${text}]`)?.value : undefined;
    if (!Array.isArray(value)) begun.isBroken = true;
    else for (const item of value) begun.numbers.push(item);
    this.#numbers += Array.isArray(value) ? value.length : 0;
  }

  #count(text: string) {
    if (this.#counts === undefined) return;
    this.#counts.parsedMax = Math.max(this.#counts.parsedMax, text.length);
  }

  #store(chunk: Buffer, from: number): ReadResult {
    const { numbersMax, restBytesMax } = this.#limits;
    const begun = this.#begun;
    if (begun?.kind === 'list') {
      this.#take(begun, chunk, from, chunk.length);
      if (begun.carry.length > numberBytesMax) return refusals.tooIntricate;
    } else if (begun !== undefined) {
      begun.carry += textOf(chunk, from);
      if (begun.carry.length > textBytesMax) return refusals.tooLarge;
    } else this.#keepRest(chunk.subarray(from));
    if (this.#numbers > numbersMax) return refusals.tooLarge;
    return this.#restBytes > restBytesMax ? refusals.tooIntricate : undefined;
  }

  /** Copies, so the received buffer is not kept alive. */
  #keepRest(bytes: Buffer) {
    this.#restBytes += bytes.length;
    if (bytes.length > 0) this.#rest.push(Buffer.from(bytes));
  }
}

function textOf(bytes: Buffer, from: number, end = bytes.length): string {
  return bytes.toString('latin1', from, end);
}

const name = 'embedding';
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const backslash = 0x5c;
const openBrace = 0x7b;
/** Signs in a list that are neither numbers nor its end. */
const inner = [quote, colon, openBracket, openBrace, 0x7d];

const isSign = new Uint8Array(256);
for (const sign of '",:[]{}') isSign[sign.charCodeAt(0)] = 1;
