import { parseJson } from '../../../lib/json-value.ts';
import { type ByteReader, type ReadResult, refusals } from '../../http/transport.ts';

export interface EventListener {
  onEvent(data: Buffer, name: string): ReadResult;
  onComment(): void;
}

export const eventBytesMax = 1_048_576;

/** Added per line of data, so empty ones count too. */
const lineCost = 64;

/**
 * Lines end with LF, CRLF or CR; events with an empty line or the stream. Source: the HTML
 * standard, "server-sent events".
 */
export class EventReader implements ByteReader {
  readonly #listener: EventListener;
  readonly #line = new HeldBytes();
  #isFirstLine = true;
  #isAfterCr = false;
  #name = '';
  #data: Buffer | undefined;
  #furtherData: Buffer[] | undefined;
  #dataCost = 0;
  /** A name after data, of this or the next event. */
  #laterName: string | undefined;
  #isBare = false;

  constructor(listener: EventListener) {
    this.#listener = listener;
  }

  read(chunk: Buffer): ReadResult {
    let at = this.#isAfterCr && chunk[0] === lf ? 1 : 0;
    if (chunk.length > 0) this.#isAfterCr = false;
    let crAt = chunk.indexOf(cr, at);
    while (at < chunk.length) {
      if (crAt !== -1 && crAt < at) crAt = chunk.indexOf(cr, at);
      const end = firstOf(chunk.indexOf(lf, at), crAt);
      if (end === -1) return this.#hold(chunk.subarray(at));
      const line = this.#line.endWith(chunk.subarray(at, end));
      at = end + 1;
      if (end === crAt) {
        if (chunk[at] === lf) at += 1;
        else this.#isAfterCr = at === chunk.length;
      }
      const result = this.#readLine(line);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  /** Data without a final empty line is also an event. */
  end(): ReadResult {
    const line = this.#line.endWith(nothing);
    const result = line.length === 0 ? undefined : this.#readLine(line);
    return result ?? this.#dispatch();
  }

  #hold(rest: Buffer): ReadResult {
    if (this.#line.length + rest.length > eventBytesMax) return refusals.tooLarge;
    this.#line.add(rest);
    return undefined;
  }

  #readLine(raw: Buffer): ReadResult {
    const line = this.#isFirstLine ? withoutMark(raw) : raw;
    this.#isFirstLine = false;
    if (raw.length > eventBytesMax) return refusals.tooLarge;
    if (line.length === 0) return this.#dispatch();
    if (line[0] === colon) {
      this.#listener.onComment();
      return undefined;
    }
    if (isData(line)) return this.#addData(valueIn(line, 4));
    if (this.#isBareJson(line)) return this.#addData(line, true);
    const colonAt = line.indexOf(colon);
    const name = line.toString('latin1', 0, colonAt === -1 ? line.length : colonAt);
    if (name === 'data') return this.#addData(valueIn(line, colonAt));
    if (name === 'event') {
      const value = valueIn(line, colonAt).toString();
      if (this.#data === undefined) this.#name = value;
      else this.#laterName = value;
    }
    // An id and a retry time are for clients that reconnect. This client never does.
    return undefined;
  }

  #isBareJson(line: Buffer): boolean {
    if (this.#data === undefined) return isOpened(line);
    return this.#isBare || isNextEvent(this.#furtherData?.at(-1) ?? this.#data, line);
  }

  #addData(data: Buffer, isBare = false): ReadResult {
    const before = this.#furtherData?.at(-1) ?? this.#data;
    if (before !== undefined && (isBare !== this.#isBare || isNextEvent(before, data))) {
      const name = this.#laterName ?? '';
      this.#laterName = undefined;
      const result = this.#dispatch();
      if (result !== undefined) return result;
      this.#name = name;
    }
    this.#isBare = isBare;
    this.#dataCost += data.length + lineCost;
    if (this.#dataCost > eventBytesMax + lineCost) return refusals.tooLarge;
    if (this.#data === undefined) this.#data = data;
    else if (this.#furtherData === undefined) this.#furtherData = [data];
    else this.#furtherData.push(data);
    return undefined;
  }

  #dispatch(): ReadResult {
    const [data, further, name] = [this.#data, this.#furtherData, this.#laterName ?? this.#name];
    const isBare = this.#isBare;
    this.#isBare = false;
    this.#data = undefined;
    this.#laterName = undefined;
    this.#furtherData = undefined;
    this.#dataCost = 0;
    this.#name = '';
    if (data === undefined) return undefined;
    const all = further === undefined ? data : joinLines(data, further);
    if (isBare && parseJson(all.toString()) === undefined) return undefined;
    return this.#listener.onEvent(all, name);
  }
}

/**
 * Some servers omit the empty line and write one line per event. Within one JSON text no bracket
 * opens right after a closed one.
 */
function isNextEvent(before: Buffer, line: Buffer): boolean {
  return before.at(-1) === 0x7d && isOpened(line);
}

function isOpened(line: Buffer): boolean {
  return line[0] === 0x7b || line[0] === 0x5b;
}

const lf = 0x0a;
const cr = 0x0d;
const colon = 0x3a;
const space = 0x20;
const nothing = Buffer.alloc(0);
const lineEnd = Buffer.from('\n');

class HeldBytes {
  #bytes = nothing;
  length = 0;

  add(bytes: Buffer) {
    const length = this.length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(256, length * 2));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.length);
    this.length = length;
  }

  endWith(end: Buffer): Buffer {
    if (this.length === 0) return end;
    this.add(end);
    const line = this.#bytes.subarray(0, this.length);
    // The line stays in memory: it may be data of an event that continues.
    this.#bytes = nothing;
    this.length = 0;
    return line;
  }
}

function firstOf(one: number, other: number): number {
  if (one === -1 || other === -1) return Math.max(one, other);
  return Math.min(one, other);
}

function isData(line: Buffer): boolean {
  return (
    line[4] === colon &&
    line[0] === 0x64 &&
    line[1] === 0x61 &&
    line[2] === 0x74 &&
    line[3] === 0x61
  );
}

function valueIn(line: Buffer, colonAt: number): Buffer {
  if (colonAt === -1) return nothing;
  return line.subarray(line[colonAt + 1] === space ? colonAt + 2 : colonAt + 1);
}

function withoutMark(line: Buffer): Buffer {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

function joinLines(data: Buffer, further: readonly Buffer[]): Buffer {
  return Buffer.concat([data, ...further.flatMap((line) => [lineEnd, line])]);
}
