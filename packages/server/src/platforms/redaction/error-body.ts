import { fieldOf, isRecord, parseJson } from '../../lib/json-value.ts';
import { type ErrorShape, errorShapes } from '../statements/error-shapes.ts';
import { type ErrorWord, errorWords } from '../statements/error-words.ts';

export interface ErrorBody {
  readonly json: unknown;
  /** Code and type: `['rate_limit_exceeded', 'tokens']`. */
  readonly codes: readonly string[];
  /** Its message, else its text. Names accounts. */
  readonly message: string;
  /** The status in its error object, 400 to 599. */
  readonly named: number | undefined;
}

export interface ErrorObject {
  readonly codes: readonly string[];
  readonly message: string | undefined;
  readonly named: number | undefined;
  readonly isOfChoice: boolean;
}

export type ReadError = (body: unknown) => ErrorObject | undefined;

export function createErrorReader(
  shapes: readonly ErrorShape[],
  words: readonly ErrorWord[],
): ReadError {
  const statuses = new Map(words.map((line) => [keyOf(line.numbers, line.word), line.status]));
  const beginnings = words.filter(({ word }) => word.endsWith('*'));
  return (body) => {
    if (isPlain(body)) return undefined;
    let first: ErrorObject | undefined;
    for (const shape of shapes) {
      const value = objectsAt([body], shape.path).find((one) => isError(one, shape));
      const match = value === undefined ? undefined : objectOf(value, shape);
      // The status may be next to the error object, or within it.
      if (match?.named !== undefined) return { ...match, ...first, named: match.named };
      first ??= match;
    }
    return first;
  };

  function objectOf(error: unknown, shape: ErrorShape): ErrorObject {
    const { codes: fields, message, numbers } = shape;
    const isText = typeof error === 'string';
    const values = isText
      ? [error]
      : fields.map((field) => fieldOf(error, field)).filter(isErrorValue);
    const sentence = isText ? error : fieldOf(error, message);
    return {
      codes: [...new Set((isText ? [] : values).filter(isCode).map(String))],
      message: typeof sentence === 'string' ? sentence : undefined,
      named:
        firstOf(values, httpStatusOf) ?? firstOf(values, (value) => statusOfWord(value, numbers)),
      isOfChoice: shape.path.startsWith('choices'),
    };
  }

  function statusOfWord(value: unknown, numbers: string | undefined): number | undefined {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    const word = String(value).toLowerCase();
    const isNumber = /^\d+$/.test(word);
    const known = statuses.get(keyOf(isNumber ? numbers : undefined, word));
    if (known !== undefined || isNumber) return known;
    return beginnings.find((line) => word.startsWith(line.word.slice(0, -1).toLowerCase()))?.status;
  }
}

const findError = createErrorReader(errorShapes, errorWords);

/** Only an error without content; otherwise undefined. */
export const readError: ReadError = (body) => {
  const match = findError(body);
  return match === undefined || hasContent(body) ? undefined : match;
};

export function isErrorBody(body: Buffer): boolean {
  return readError(parseJson(body.toString())?.value) !== undefined;
}

/**
 * Accepts `{error: {code, type, message}}`, `{error: "…"}`, `{message}`, `{code, message}`, plain
 * text, nothing, and the table's shapes.
 */
export function readErrorBody(text: string): ErrorBody {
  const json = parseJson(text)?.value;
  const match = findError(json);
  const error = fieldOf(json, 'error');
  const fields = isRecord(error) ? error : json;
  const usual = [fieldOf(fields, 'code'), fieldOf(fields, 'type')].filter(isCode).map(String);
  const codes = usual.length > 0 ? usual : (match?.codes ?? []);
  const sentence = typeof error === 'string' ? error : fieldOf(fields, 'message');
  const message = typeof sentence === 'string' ? sentence : (match?.message ?? text);
  return { json, codes, message, named: match?.named };
}

function isPlain(body: unknown): boolean {
  if (!isRecord(body)) return !Array.isArray(body);
  const { error, type, object, status, choices, base_resp: minimax } = body;
  if (isErrorValue(error) || isErrorValue(minimax) || object === 'error' || status === 'failed') {
    return false;
  }
  if (typeof type === 'string') return type !== 'error' && typeof body.message !== 'string';
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isRecord(first) && first.finish_reason !== 'error' && !isErrorValue(first.error);
}

export function hasError({ error }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(error) ? isErrorValue(error) : typeof error === 'string' && error !== '';
}

export function hasContent(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const { choices, content, output, data } = body;
  if (isFilled(content) || isFilled(output) || isFilled(data)) return true;
  return Array.isArray(choices) && choices.some(isFilledChoice);
}

function isFilledChoice(choice: unknown): boolean {
  const message = fieldOf(choice, 'message') ?? fieldOf(choice, 'delta');
  return isRecord(message) && contentFields.some((name) => isFilled(message[name]));
}

const contentFields = [
  ...['content', 'reasoning_content', 'reasoning', 'refusal', 'tool_calls', 'function_call'],
];

function isFilled(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return isRecord(value);
}

/** `name[]` means each item of a list, and `[]` each item of a response. */
function objectsAt(values: readonly unknown[], path: string): readonly unknown[] {
  if (path === '') return values;
  let matches = values;
  for (const step of path.split('.')) {
    const name = step.replace('[]', '');
    const next = name === '' ? matches : matches.map((value) => fieldOf(value, name));
    matches = step.endsWith('[]')
      ? next.flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : []))
      : next;
  }
  return matches;
}

function isError(value: unknown, { when, needs }: ErrorShape): boolean {
  if (!isRecord(value)) return typeof value === 'string' && value !== '' && needs.length === 0;
  if (when !== undefined && value[when[0]] !== when[1]) return false;
  return Object.keys(value).length > 0 && needs.every((field) => isErrorValue(value[field]));
}

function isErrorValue(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0 && !(value >= 200 && value < 300);
  if (typeof value === 'string') return !noErrors.has(value.toLowerCase());
  if (Array.isArray(value) || isRecord(value)) return Object.keys(value).length > 0;
  return false;
}

const noErrors = new Set(['', '0', '200', 'ok', 'success']);

function httpStatusOf(value: unknown): number | undefined {
  const isStatus =
    typeof value === 'number' || (typeof value === 'string' && /^\d{3}$/.test(value));
  const status = isStatus ? Number(value) : 0;
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

function firstOf(
  values: readonly unknown[],
  read: (value: unknown) => number | undefined,
): number | undefined {
  for (const value of values) {
    const status = read(value);
    if (status !== undefined) return status;
  }
  return undefined;
}

function keyOf(numbers: string | undefined, word: string): string {
  return `${numbers ?? ''} ${word.toLowerCase()}`;
}

/** Codes are logged, so they must not contain a quoted prompt. */
function isCode(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && codePattern.test(value));
}

const codePattern = /^[\w.:/#-]{1,64}$/;
