import { CallError } from '../../calls/model/call-error.ts';
import {
  bodyBounds,
  briefBytesMax,
  findExcess,
  holdsLongNumber,
  type JsonCounts,
  type JsonExcess,
} from '../../lib/json-size.ts';
import { findBreach } from '../../lib/strict-json.ts';
import { repeated } from './check-once.ts';
import { invalid } from './parse.ts';

const jsonType = /^application\/json\s*(?:;.*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a request's headers say of its body. */
export interface BodyHead {
  readonly isTypeRepeated: boolean;
  readonly type: string | undefined;
  readonly encoding: string | undefined;
}

/** Throws INVALID for a body whose type is told twice, or which is not the JSON itself. */
export function checkBodyHeaders(head: BodyHead): void {
  if (head.isTypeRepeated) throw repeated('content-type');
  const coding = head.encoding?.trim() ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  const shown = JSON.stringify(coding.slice(0, 80));
  throw new CallError(
    'INVALID',
    `content-encoding is ${shown}, and no body is decoded here; send the JSON as it is, without this header.`,
  );
}

/**
 * The text of a JSON body and its bytes, before anything is made of it. Throws INVALID for another
 * content type, for what is not UTF-8, and for what would hold up all calls when it is parsed.
 * `counts` is filled for more than {@link uncountedBytesMax}, and says how far the scan went.
 */
export function readJson(
  contentType: string | undefined,
  body: Uint8Array = new Uint8Array(0),
  counts?: JsonCounts,
): { readonly text: string; readonly bytes: number } {
  if (contentType === undefined || !jsonType.test(contentType)) {
    const found =
      contentType === undefined
        ? 'it is missing'
        : `it is ${JSON.stringify(contentType.slice(0, 80))}`;
    throw new CallError('INVALID', `content-type must be application/json; ${found}.`);
  }
  const text = decode(body);
  // Its depth and its numbers are looked at with its oddities.
  const bytes = body.byteLength;
  if (bytes > briefBytesMax) checkBounds(body, counts);
  else if (bytes > uncountedBytesMax) findExcess(body, bodyBounds, counts);
  return { text, bytes };
}

/** The values of a shorter body are not counted: they take next to no memory. */
export const uncountedBytesMax = 4_096;

/** Throws INVALID for a body that holds more than is parsed, from its bytes. */
export function checkBounds(body: Uint8Array, counts?: JsonCounts): void {
  const excess = findExcess(body, bodyBounds, counts);
  if (excess !== undefined) throw tooMuch(body, excess);
}

/** How many values a body has, as far as its bounds go; of other texts, as many as it seems. */
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
      bound === 'number' ? holdsLongNumber : `is nested deeper than ${bodyBounds.depthMax} levels`;
    return placed(decode(body.subarray(0, at + 1)), fault);
  }
  const most = bound === 'values' ? bodyBounds.valuesMax : bodyBounds.namesMax;
  return invalid('', `holds more than ${most} ${bound}; send it in several calls`);
}

/** With the path of the place, which the bytes alone do not tell; or what is odd before it. */
function placed(start: string, fault: string): CallError {
  try {
    const breach = findBreach(start);
    if (breach !== undefined) return invalid(breach.path, breach.text);
  } catch {
    /* the start is not JSON, and what follows will not be read */
  }
  return invalid('', fault);
}
