import type { ErrorReason } from '@model-gateway/contract';
import { fieldOf, isRecord } from '../../lib/json-value.ts';
import { withoutQuotes } from '../redaction/quotes.ts';
import { type ReasonLine, reasonLines } from '../statements/reasons.ts';
import type { ModelRequest } from './model-request.ts';

export interface Rejection {
  readonly reason: ErrorReason;
  /** The platform's names, likeliest first. A caller may see one only as a field that it sent. */
  readonly fields: readonly string[];
  readonly isFieldReported: boolean;
}

export interface RejectionParts {
  /** Undefined: only the words decide. */
  readonly status: number | undefined;
  readonly json: unknown;
  readonly text: string;
  /** A quoted prompt must not count as a reason. */
  readonly request: ModelRequest;
}

export type ReadRejection = (parts: RejectionParts) => Rejection | undefined;

const textLengthMax = 16_000;
const depthMax = 8;
const fieldsMax = 8;

export function createReadRejection(lines: readonly ReasonLine[]): ReadRejection {
  const known = lines.map(({ words, reason }) => {
    return { reason, parts: words.toLowerCase().split(' … ') };
  });
  const reasonIn = (text: string) => {
    const lower = text.toLowerCase();
    return known.find(({ parts }) => isIn(lower, parts))?.reason;
  };
  return ({ status, json, text, request }) => {
    const texts = json === undefined ? [text] : textsIn(json);
    const written = texts.join('\n').slice(0, textLengthMax);
    // Few rejections contain known words. Only those are compared with the request, which may be
    // long.
    const searched = reasonIn(written) === undefined ? written : withoutQuotes(written, request);
    const reported = reportedFields(json);
    const reason =
      reasonIn(searched) ??
      (status === 413 ? 'context_length' : undefined) ??
      (status !== undefined && reported.length > 0 ? 'parameter' : undefined);
    if (reason === undefined) return undefined;
    const fields = [...reported, ...namedIn(written)].filter((field) => fieldPattern.test(field));
    return {
      ...{ reason, isFieldReported: reported.length > 0 },
      fields: [...new Set(fields)].slice(0, fieldsMax),
    };
  };
}

export const readRejection = createReadRejection(reasonLines);

function isIn(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > depthMax) return [];
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1));
}

function reportedFields(json: unknown): readonly string[] {
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

/** FastAPI's list form: `['body', 'temperature']`. */
function pathOf(steps: unknown): string | undefined {
  return Array.isArray(steps) ? steps.join('.') : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Names before a colon or in quotes: `tools.0.name: …`, `'temperature' is …`. */
function namedIn(text: string): readonly string[] {
  return Array.from(text.matchAll(namePattern), ([, quoted, led]) => quoted ?? led ?? '');
}

const namePattern = /['"`]([\w.[\]-]{1,128})['"`]|\b([a-z]\w{0,63}(?:[.[]\w{1,32}\]?){0,12}):/gi;
const fieldPattern = /^[a-z][\w.[\]-]{0,127}$/i;
