import { CallError } from '../../calls/model/call-error.ts';
import {
  bodyBounds,
  briefBytesMax,
  findExcess,
  type JsonCounts,
  type JsonExcess,
  longNumberProblem,
} from '../../lib/json-size.ts';
import { findBreach } from '../../lib/strict-json.ts';
import { repeated } from './check-once.ts';
import { invalid } from './parse.ts';

const jsonType = /^application\/json\s*(?:;.*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface BodyHead {
  readonly isTypeRepeated: boolean;
  readonly type: string | undefined;
  readonly encoding: string | undefined;
}

/** Throws INVALID for a repeated content type or an encoded body. */
export function checkBodyHeaders(head: BodyHead): void {
  if (head.isTypeRepeated) throw repeated('content-type');
  const coding = head.encoding?.trim() ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  const shown = JSON.stringify(coding.slice(0, 80));
  throw new CallError(
    'INVALID',
    `content-encoding ${shown} is not supported; send uncompressed JSON without this header.`,
  );
}

/**
 * Throws INVALID for another content type, invalid UTF-8, and JSON that would block the thread.
 * Above {@link uncountedBytesMax} it fills `counts` for the scanned part.
 */
export function readJson(
  contentType: string | undefined,
  body: Uint8Array = new Uint8Array(0),
  counts?: JsonCounts,
): { readonly text: string; readonly bytes: number } {
  if (contentType === undefined || !jsonType.test(contentType)) {
    const actual =
      contentType === undefined
        ? 'it is missing'
        : `it is ${JSON.stringify(contentType.slice(0, 80))}`;
    throw new CallError('INVALID', `content-type must be application/json; ${actual}.`);
  }
  const text = decode(body);
  // For short bodies `findBreach` checks depth and numbers later.
  const bytes = body.byteLength;
  if (bytes > briefBytesMax) checkBounds(body, counts);
  else if (bytes > uncountedBytesMax) findExcess(body, bodyBounds, counts);
  return { text, bytes };
}

export const uncountedBytesMax = 4_096;

/** Throws INVALID for JSON above the parser's bounds. */
export function checkBounds(body: Uint8Array, counts?: JsonCounts): void {
  const excess = findExcess(body, bodyBounds, counts);
  if (excess !== undefined) throw tooMuch(body, excess);
}

export function valuesIn(body: Uint8Array = new Uint8Array(0)): number {
  const counts = { values: 0, names: 0 };
  findExcess(body, bodyBounds, counts);
  return counts.values;
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalid('', 'is not UTF-8');
  }
}

function tooMuch(body: Uint8Array, { bound, at }: JsonExcess): CallError {
  if (bound === 'depth' || bound === 'number') {
    const fault =
      bound === 'number'
        ? longNumberProblem
        : `is nested deeper than ${bodyBounds.depthMax} levels`;
    return invalidAt(decode(body.subarray(0, at + 1)), fault);
  }
  const most = bound === 'values' ? bodyBounds.valuesMax : bodyBounds.namesMax;
  return invalid('', `has more than ${most} ${bound}; split it into several calls`);
}

function invalidAt(start: string, fault: string): CallError {
  try {
    const breach = findBreach(start);
    if (breach !== undefined) return invalid(breach.path, breach.text);
  } catch {
    /* the start is not JSON, so the rest is not read */
  }
  return invalid('', fault);
}
