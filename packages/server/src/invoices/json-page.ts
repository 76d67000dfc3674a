import { isRecord } from '../lib/json-value.ts';
import { badField, InvoiceError } from './invoice-error.ts';

/** A page of a platform's cost API. */
export interface Page {
  readonly buckets: readonly Readonly<Record<string, unknown>>[];
  /** What asks for the next one; undefined for the last. */
  readonly next: string | undefined;
}

/**
 * Reads JSON whose numbers come as the text that they were written in, since a float holds no
 * amount exactly. Throws an InvoiceError for what is no JSON.
 */
export function parseExact(where: string, text: string): unknown {
  try {
    return JSON.parse(text, numberAsText);
  } catch (cause) {
    throw new InvoiceError(`${where}: is no JSON that is whole`, { cause });
  }
}

function numberAsText(_key: string, value: unknown, context?: { readonly source?: string }) {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

/** The buckets of a page. Throws an InvoiceError for a document of another kind. */
export function readPage(where: string, document: unknown): Page {
  if (!isRecord(document) || !Array.isArray(document.data)) {
    throw new InvoiceError(`${where}: data is missing: this is no page of costs`);
  }
  const buckets = document.data.filter(isRecord);
  if (buckets.length < document.data.length) {
    throw new InvoiceError(`${where}: data holds what is no bucket of a day`);
  }
  const { has_more: hasMore, next_page: next } = document;
  if (hasMore !== true) return { buckets, next: undefined };
  if (typeof next !== 'string' || next === '') {
    throw badField(where, 'next_page', next, 'is no text, though has_more is true');
  }
  return { buckets, next };
}

/** The rows of a bucket. */
export function resultsOf(where: string, bucket: Readonly<Record<string, unknown>>) {
  const { results } = bucket;
  if (!Array.isArray(results) || !results.every(isRecord)) {
    throw badField(where, 'results', results, 'is no list of costs');
  }
  return results;
}

/** A field that is text, or null. */
export function optionalText(
  where: string,
  row: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined {
  const value = row[field];
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value;
  throw badField(where, field, value, 'is no text');
}
