import type { ErrorReason } from '@model-gateway/contract';
import { fieldOf, isRecord } from '../../lib/json-value.ts';
import { withoutQuotes } from '../redaction/quotes.ts';
import { type ReasonLine, reasonLines } from '../statements/reasons.ts';
import type { ModelRequest } from './model-request.ts';

/** Why a platform rejected a request. */
export interface Rejection {
  readonly reason: ErrorReason;
  /**
   * Fields that its error names, as the platform calls them, the likeliest first. They are its
   * text: a caller is shown one only as the field that it sent itself.
   */
  readonly fields: readonly string[];
  /** Whether it names one in a field for that, which is no guess. */
  readonly isFieldStated: boolean;
}

/** What a rejection is read in. */
export interface RejectionParts {
  /** Undefined where its platform states none: then its words alone decide. */
  readonly status: number | undefined;
  /** The error body, undefined where it was no JSON. */
  readonly json: unknown;
  readonly text: string;
  /** What was asked: a prompt that the error quotes states no reason. */
  readonly request: ModelRequest;
}

/** Reads why a request was rejected; undefined where its platform states no known reason. */
export type ReadRejection = (parts: RejectionParts) => Rejection | undefined;

/** Characters of an error body that are read, and levels of it. */
const textLengthMax = 16_000;
const depthMax = 8;
const fieldsMax = 8;

/** Reads rejections by these lines. */
export function createReadRejection(lines: readonly ReasonLine[]): ReadRejection {
  const known = lines.map(({ words, reason }) => {
    return { reason, parts: words.toLowerCase().split(' … ') };
  });
  const reasonIn = (said: string) => {
    const lower = said.toLowerCase();
    return known.find(({ parts }) => isIn(lower, parts))?.reason;
  };
  return ({ status, json, text, request }) => {
    const texts = json === undefined ? [text] : textsIn(json);
    const written = texts.join('\n').slice(0, textLengthMax);
    // Few rejections have known words: only those are held against the request, which may be long.
    const said = reasonIn(written) === undefined ? written : withoutQuotes(written, request);
    const stated = statedFields(json);
    const reason =
      reasonIn(said) ??
      (status === 413 ? 'context_length' : undefined) ??
      (status !== undefined && stated.length > 0 ? 'parameter' : undefined);
    if (reason === undefined) return undefined;
    const fields = [...stated, ...namedIn(written)].filter((field) => fieldPattern.test(field));
    return {
      ...{ reason, isFieldStated: stated.length > 0 },
      fields: [...new Set(fields)].slice(0, fieldsMax),
    };
  };
}

/** Reads rejections by all lines. */
export const readRejection = createReadRejection(reasonLines);

/** Whether a text has these parts, one after the other. */
function isIn(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

/** All texts of a JSON value: gateways put the error that they got into a field of their own. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > depthMax) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

/** Fields that an error object names in a field for that. */
function statedFields(json: unknown): readonly string[] {
  const error = fieldOf(Array.isArray(json) ? json[0] : json, 'error');
  const param = fieldOf(isRecord(error) ? error : json, 'param');
  const details = listIn(json, 'detail').map((item) => pathOf(fieldOf(item, 'loc')));
  const violations = listIn(error, 'details').flatMap((item) =>
    listIn(item, 'fieldViolations').map((violation) => fieldOf(violation, 'field')),
  );
  return [param, ...details, ...violations].filter((field) => isText(field));
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** The path that FastAPI's servers give as a list: `['body', 'temperature']`. */
function pathOf(steps: unknown): string | undefined {
  return Array.isArray(steps) ? steps.join('.') : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Names in front of a colon, and in quotes: `tools.0.name: …`, `'temperature' is …`. */
function namedIn(text: string): readonly string[] {
  return Array.from(text.matchAll(namePattern), ([, quoted, led]) => quoted ?? led ?? '');
}

const namePattern = /['"`]([\w.[\]-]{1,128})['"`]|\b([a-z]\w{0,63}(?:[.[]\w{1,32}\]?){0,12}):/gi;
const fieldPattern = /^[a-z][\w.[\]-]{0,127}$/i;
