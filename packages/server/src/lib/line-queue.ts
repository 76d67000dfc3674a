export interface LineQueue {
  /** The line includes its end; dropped when the queue is full. */
  add(line: string): void;
  /** Excludes the bytes of `next`. */
  waitingBytes(): number;
  next(): Buffer;
  advance(written: number): boolean;
  drop(): void;
  /** Skips the bytes of `next`, because the system has them. */
  skip(): void;
  linesLost(): number;
}

export const waitingBytesMax = 4_194_304;
const batchBytesMax = 65_536;

export function createLineQueue(lossLine: (linesLost: number) => string): LineQueue {
  const waiting = createWaiting();
  let batch = nothing;
  let isFull = false;
  let isLineCut = false;
  let linesLost = 0;
  let unreported = 0;
  return {
    add(line) {
      isFull ||= !waiting.add(line);
      if (isFull) lose(1);
    },
    waitingBytes: waiting.bytes,
    next() {
      if (batch.bytes.length === 0) batch = nextBatch();
      return batch.bytes;
    },
    advance(written) {
      isLineCut = batch.bytes[written - 1] !== newline;
      const headBytes = Math.max(0, batch.headBytes - written);
      if (headBytes === 0) unreported -= batch.reports;
      const reports = headBytes === 0 ? 0 : batch.reports;
      batch = { bytes: batch.bytes.subarray(written), headBytes, reports };
      return batch.bytes.length > 0 || isFull;
    },
    drop() {
      lose(linesIn(batch.bytes.subarray(batch.headBytes)) + waiting.drop());
      batch = nothing;
      isFull = false;
    },
    skip() {
      unreported -= batch.reports;
      batch = nothing;
    },
    linesLost: () => linesLost,
  };

  function nextBatch(): Batch {
    // Lines that fit precede the report of lost lines.
    const isLossNext = unreported > 0 && !(isFull && waiting.bytes() > 0);
    if (!isLossNext) return { ...nothing, bytes: Buffer.from(waiting.take()) };
    isFull = false;
    const head = Buffer.from(`${isLineCut ? '\n' : ''}${lossLine(unreported)}`);
    const bytes = Buffer.concat([head, Buffer.from(waiting.take())]);
    return { bytes, headBytes: head.length, reports: unreported };
  }

  function lose(lines: number) {
    linesLost += lines;
    unreported += lines;
  }
}

interface Batch {
  readonly bytes: Buffer;
  readonly headBytes: number;
  readonly reports: number;
}

const nothing: Batch = { bytes: Buffer.alloc(0), headBytes: 0, reports: 0 };

const newline = 0x0a;

function createWaiting() {
  let texts: { text: string; bytes: number; lines: number }[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    add(line: string): boolean {
      const lineBytes = Buffer.byteLength(line);
      if (bytes + lineBytes > waitingBytesMax) return false;
      bytes += lineBytes;
      const last = texts.at(-1);
      if (last !== undefined && last.bytes + lineBytes <= batchBytesMax) {
        last.text += line;
        last.bytes += lineBytes;
        last.lines += 1;
      } else texts.push({ text: line, bytes: lineBytes, lines: 1 });
      return true;
    },
    take(): string {
      const first = texts.shift();
      bytes -= first?.bytes ?? 0;
      return first?.text ?? '';
    },
    drop(): number {
      const lines = texts.reduce((sum, each) => sum + each.lines, 0);
      texts = [];
      bytes = 0;
      return lines;
    },
  };
}

/** Counts line ends, so it excludes a partial line. */
function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
