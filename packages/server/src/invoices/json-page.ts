import { bodyBounds, findExcess, longNumberProblem } from '../lib/json-size.ts';
import { endOfNumber, endOfString } from '../lib/json-text.ts';
import { isRecord } from '../lib/json-value.ts';
import { badField, InvoiceError } from './invoice-error.ts';

export interface Page {
  readonly buckets: readonly Readonly<Record<string, unknown>>[];
  /** Undefined for the last. */
  readonly next: string | undefined;
}

/**
 * Numbers remain text, since a float holds no amount exactly. Throws an InvoiceError for invalid
 * JSON, and for too many levels.
 */
export function parseExact(where: string, text: string): unknown {
  const bounds = {
    depthMax,
    valuesMax: Number.POSITIVE_INFINITY,
    namesMax: Number.POSITIVE_INFINITY,
  };
  const excess = findExcess(Buffer.from(text), bounds);
  if (excess?.bound === 'depth') {
    throw new InvoiceError(
      `${where}: has more than ${depthMax} levels, so it is not a page of costs`,
    );
  }
  if (excess !== undefined) throw new InvoiceError(`${where}: ${longNumberProblem}`);
  try {
    // Check first: quoted numbers could turn invalid text into JSON, for example as names.
    JSON.parse(text);
    return JSON.parse(withQuotedNumbers(text));
  } catch (cause) {
    throw new InvoiceError(`${where}: is incomplete or invalid JSON`, { cause });
  }
}

/**
 * A reviver costs a hundred times as much. Pieces are joined in blocks, because the garbage
 * collector would copy one long list each time it grows.
 */
function withQuotedNumbers(json: string): string {
  const blocks: string[] = [];
  let pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    if (json.charCodeAt(at) === quoteCode) {
      at = endOfString(json, at) - 1;
      continue;
    }
    const end = endOfNumber(json, at);
    if (end === at) continue;
    pieces.push(json.slice(from, at), '"', json.slice(at, end), '"');
    from = end;
    at = end - 1;
    if (pieces.length < blockPieces) continue;
    blocks.push(pieces.join(''));
    pieces = [];
  }
  return blocks.join('') + pieces.join('') + json.slice(from);
}

const { depthMax } = bodyBounds;
const blockPieces = 4_096;
const quoteCode = 0x22;

/** Throws an InvoiceError for another kind of document. */
export function readPage(where: string, document: unknown): Page {
  if (!isRecord(document) || !Array.isArray(document.data)) {
    throw new InvoiceError(`${where}: data is missing, so it is not a page of costs`);
  }
  const buckets = document.data.filter(isRecord);
  if (buckets.length < document.data.length) {
    throw new InvoiceError(`${where}: data contains an entry that is not a bucket of a day`);
  }
  const { has_more: hasMore, next_page: next } = document;
  if (hasMore !== true) return { buckets, next: undefined };
  if (typeof next !== 'string' || next === '') {
    throw badField(where, 'next_page', next, 'is not a string although has_more is true');
  }
  return { buckets, next };
}

export function resultsOf(where: string, bucket: Readonly<Record<string, unknown>>) {
  const { results } = bucket;
  if (!Array.isArray(results) || !results.every(isRecord)) {
    throw badField(where, 'results', results, 'is not a list of costs');
  }
  return results;
}

export function optionalText(
  where: string,
  row: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined {
  const value = row[field];
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value;
  throw badField(where, field, value, 'is not a string');
}

/** Longer than any page of a platform's cost API. */
const lineLengthMax = 16 * 1_048_576;

/** Throws an InvoiceError for a line of 16 MiB. */
export async function readPages(
  name: string,
  text: AsyncIterable<string>,
  read: (name: string, page: string) => void,
) {
  let line = 1;
  let rest = '';
  const tooLong = () => new InvoiceError(`${name}, line ${line}: is more than 16 MiB of JSON`);
  const readLine = (page: string) => {
    if (page.length > lineLengthMax) throw tooLong();
    if (page.trim() !== '') read(`${name}, line ${line}`, page);
    line += 1;
  };
  for await (const part of text) {
    const lines = part.split('\n');
    const last = lines.pop() ?? '';
    for (const page of lines) {
      readLine(rest + page);
      rest = '';
    }
    rest += last;
    if (rest.length > lineLengthMax) throw tooLong();
  }
  readLine(rest);
}
