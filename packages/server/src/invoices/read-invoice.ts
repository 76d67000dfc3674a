import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isCostReport, readCostReport } from './anthropic-cost-report.ts';
import { InvoiceError } from './invoice-error.ts';
import type { InvoiceLine } from './invoice-line.ts';
import { parseExact, readPage, readPages } from './json-page.ts';
import { isOpenaiCosts, readOpenaiCosts } from './openai-costs.ts';
import { readCsv } from './read-csv.ts';
import { createTally, type Invoice, type Tally } from './tally.ts';

export interface InvoiceSource {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly hasPages?: boolean;
}

/** Its functions may call another thread. */
export interface ReadInvoice extends Invoice {
  /** The same for the same bytes, whatever the order of the sources. */
  readonly sourceHash: string;
  readonly figureOf: (day: string) => Promise<DayFigure>;
  /** Always in the same order, as JSON for the store. */
  readonly rowsOf: (day: string, from: number, count: number) => Promise<string>;
}

export type ReadSources = (sources: readonly InvoiceSource[]) => Promise<ReadInvoice>;

/** JSON pages are small; a CSV report is never in memory as a whole. */
const jsonBytesMax = 64 * 1_048_576;
/** After unpacking: more than the largest month of any company. */
const plainBytesMax = 4 * 1_024 * 1_048_576;

/**
 * JSON pages in their order, or CSV parts, plain or gzip. Throws an InvoiceError; stores nothing.
 */
export async function readInvoice(sources: readonly InvoiceSource[]): Promise<ReadInvoice> {
  const tally = createTally();
  const hashes = new Map<string, string>();
  const pages = createPages(tally);
  for (const { name, chunks, hasPages = false } of sources) {
    const hash = createHash('sha256');
    const text = textOf(name, bounded(name, plainBytes(name, hashed(chunks, hash))));
    const first = await text.next();
    const start = first.done === true ? '' : first.value;
    if (hasPages) await readPages(name, withFirst(start, text), pages.read);
    else if (/^\s*[{[]/.test(start)) pages.read(name, await wholeText(name, start, text));
    else await readCsv(name, withFirst(start, text), tally);
    const digest = hash.digest('hex');
    const twin = hashes.get(digest);
    if (twin !== undefined) throw new InvoiceError(`${name}: has the same content as ${twin}`);
    hashes.set(digest, name);
  }
  pages.end();
  const sourceHash = createHash('sha256')
    .update([...hashes.keys()].sort().join())
    .digest('hex');
  return { ...tally.finish(), sourceHash, ...daysOf(tally) };
}

/** No page may be missing, and no day may occur twice. */
function createPages(tally: Tally) {
  const days = new Map<string, string>();
  let missing: string | undefined;
  return {
    read(name: string, text: string) {
      tally.open();
      const page = readPage(name, parseExact(name, text));
      const [first] = page.buckets;
      const read = readerOf(name, first);
      const pageTally = createTally();
      read(name, page, both(tally, pageTally));
      for (const day of pageTally.finish().days) {
        const before = days.get(day);
        if (before !== undefined) throw new InvoiceError(`${name}: ${day} is also in ${before}`);
        days.set(day, name);
      }
      missing = page.next === undefined ? undefined : name;
    },
    end() {
      if (missing === undefined) return;
      throw new InvoiceError(`${missing}: has_more is true; pass all pages in order`);
    },
  };
}

function readerOf(name: string, bucket: Readonly<Record<string, unknown>> | undefined) {
  if (bucket === undefined || isCostReport(bucket)) return readCostReport;
  if (isOpenaiCosts(bucket)) return readOpenaiCosts;
  throw new InvoiceError(`${name}: is not an Anthropic cost report or a page of OpenAI costs`);
}

function both(tally: Tally, pageTally: Tally): Tally {
  return {
    ...tally,
    day(day) {
      tally.day(day);
      pageTally.day(day);
    },
  };
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* plainBytes(
  name: string,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  if (first.done === true) return;
  const start = Buffer.from(first.value);
  if (start.subarray(0, 4).toString('latin1') === 'PAR1') {
    throw new InvoiceError(`${name}: is Parquet; set the export to text/csv, gzip`);
  }
  const all = withFirst(first.value, chunks);
  if (start[0] !== 0x1f || start[1] !== 0x8b) yield* all;
  else yield* unpacked(name, all);
}

async function* unpacked(
  name: string,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const plain = new PassThrough();
  const done = pipeline(Readable.from(packed), createGunzip(), plain);
  // Awaited below. If the reader stops earlier, this failure must not be unhandled.
  done.catch(() => undefined);
  try {
    yield* plain;
    await done;
  } catch (cause) {
    throw new InvoiceError(`${name}: its gzip is damaged, or ends too early`, { cause });
  } finally {
    plain.destroy();
  }
}

async function* bounded(name: string, bytes: AsyncIterable<Uint8Array>) {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > plainBytesMax) throw new InvoiceError(`${name}: is more than 4 GiB unpacked`);
    yield chunk;
  }
}

async function* textOf(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (cause instanceof TypeError) throw new InvoiceError(`${name}: is not UTF-8`, { cause });
    throw cause;
  }
}

async function* withFirst<Chunk>(first: Chunk, rest: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  yield first;
  yield* rest;
}

async function wholeText(name: string, start: string, rest: AsyncIterable<string>) {
  const parts = [start];
  let length = start.length;
  for await (const part of rest) {
    parts.push(part);
    length += part.length;
    if (length > jsonBytesMax) throw new InvoiceError(`${name}: is more than 64 MiB of JSON`);
  }
  return parts.join('');
}

interface DayFigure {
  readonly hash: string;
  readonly lineCount: number;
  /** Sum of its lines, pico-USD. */
  readonly total: bigint;
}

const linesAtOnce = 1_000;

function daysOf({ linesOf, sumOf }: Pick<Tally, 'linesOf' | 'sumOf'>) {
  return {
    async figureOf(day: string): Promise<DayFigure> {
      const { lineCount, total } = sumOf(day);
      const hash = createHash('sha256');
      for (let from = 0; from < lineCount; from += linesAtOnce) {
        const texts = linesOf(day, from, linesAtOnce).map((line) => JSON.stringify(rowOf(line)));
        hash.update(`${from === 0 ? '' : '\n'}${texts.join('\n')}`);
      }
      return { hash: hash.digest('hex'), lineCount, total };
    },
    /** Both databases read an object's entries as rows. */
    async rowsOf(day: string, from: number, count: number): Promise<string> {
      const lines = linesOf(day, from, count);
      // A missing quantity is null.
      const rows = lines.map((line) => [
        ...rowOf(line).with(quantityAt, line.quantity?.toString() ?? null),
      ]);
      return JSON.stringify({ ...rows });
    },
  };
}

const quantityAt = 5;

/** The hash of a figure covers these texts: changing them changes every hash. */
function rowOf(line: InvoiceLine): readonly (string | null)[] {
  const { project, app, kind, model, tokenType, quantity, amount, tolerance } = line;
  return [...[project, app, kind, model, tokenType], ...[quantity, amount, tolerance].map(String)];
}
