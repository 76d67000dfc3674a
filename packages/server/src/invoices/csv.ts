import { InvoiceError } from './invoice-error.ts';

const rowLengthMax = 1_048_576;

/** `line` is its first line in the file. */
export interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * By RFC 4180: quoted fields may contain commas, line breaks and doubled quotes. Skips empty lines.
 * Throws an InvoiceError for other text.
 */
export async function* csvRows(
  where: string,
  chunks: AsyncIterable<string>,
): AsyncGenerator<CsvRow> {
  const quotes = { isOpen: false };
  let pieces: string[] = [];
  let length = 0;
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (const end of rowEnds(chunk, quotes)) {
      const written = pieces.join('') + chunk.slice(start, end);
      pieces = [];
      length = 0;
      start = end + 1;
      const row = withoutReturn(written);
      if (row !== '') yield { line, fields: fieldsOf(`${where}, line ${line}`, row) };
      line += 1 + breaksIn(written);
    }
    pieces.push(chunk.slice(start));
    length += chunk.length - start;
    if (length > rowLengthMax) {
      throw new InvoiceError(`${where}, line ${line}: is longer than ${rowLengthMax} characters`);
    }
  }
  const row = withoutReturn(pieces.join(''));
  if (row !== '') yield { line, fields: fieldsOf(`${where}, line ${line}`, row) };
}

/** Quoted fields may contain line breaks. */
function breaksIn(row: string): number {
  let breaks = 0;
  for (let at = row.indexOf('\n'); at !== -1; at = row.indexOf('\n', at + 1)) breaks += 1;
  return breaks;
}

/**
 * Only breaks outside quotes, which may span chunks. Searches for each next quote and line break
 * once, to stay linear.
 */
function* rowEnds(chunk: string, quotes: { isOpen: boolean }): Generator<number> {
  let quote = chunk.indexOf('"');
  let lineEnd = chunk.indexOf('\n');
  for (;;) {
    if (quote !== -1 && (quotes.isOpen || lineEnd === -1 || quote < lineEnd)) {
      quotes.isOpen = !quotes.isOpen;
      const from = quote + 1;
      quote = chunk.indexOf('"', from);
      if (lineEnd !== -1 && lineEnd < from) lineEnd = chunk.indexOf('\n', from);
    } else {
      if (quotes.isOpen || lineEnd === -1) return;
      yield lineEnd;
      lineEnd = chunk.indexOf('\n', lineEnd + 1);
    }
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function fieldsOf(where: string, line: string): readonly string[] {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const isQuoted = line.charCodeAt(at) === quoteCode;
    const end = isQuoted ? endOfQuoted(where, line, at) : commaFrom(line, at);
    const written = line.slice(at, end);
    if (isQuoted) fields.push(withSingleQuotes(written.slice(1, -1)));
    else if (written.includes('"'))
      throw new InvoiceError(`${where}: an unquoted field contains a quote`);
    else fields.push(written);
    if (end === line.length) return fields;
    at = end + 1;
  }
}

function commaFrom(line: string, at: number): number {
  const comma = line.indexOf(',', at);
  return comma === -1 ? line.length : comma;
}

function endOfQuoted(where: string, line: string, start: number): number {
  let quote = line.indexOf('"', start + 1);
  while (quote !== -1 && line.charCodeAt(quote + 1) === quoteCode) {
    quote = line.indexOf('"', quote + 2);
  }
  const end = quote + 1;
  if (quote === -1) throw new InvoiceError(`${where}: a quoted field has no closing quote`);
  if (end < line.length && line[end] !== ',') {
    throw new InvoiceError(`${where}: a quoted field is followed by more text`);
  }
  return end;
}

/**
 * In bytes and in place: the garbage collector would copy a replacement's list of texts each time
 * it grows.
 */
function withSingleQuotes(text: string): string {
  if (!text.includes('""')) return text;
  const bytes = Buffer.from(text);
  let length = 0;
  let isFirst = false;
  for (const byte of bytes) {
    isFirst = byte === quoteCode && !isFirst;
    if (isFirst) continue;
    bytes[length] = byte;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}

const quoteCode = 0x22;
