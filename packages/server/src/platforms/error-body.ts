import { isRecord, parseJson } from '../lib/json-value.ts';

/** What a platform's error body says. */
export interface ErrorBody {
  /** The whole of it, where it was JSON. */
  readonly json: unknown;
  /** Its code and type: `['rate_limit_exceeded', 'tokens']`. */
  readonly codes: readonly string[];
  /** Its sentence, else its text. Names accounts. */
  readonly message: string;
}

/**
 * Reads an error body of any of the shapes that are seen: `{error: {code, type, message}}`,
 * `{error: "…"}`, `{message}`, `{code, message}`, plain text, nothing. Source: platforms, 1.6.
 */
export function readErrorBody(text: string): ErrorBody {
  const json = parseJson(text)?.value;
  if (!isRecord(json)) return { json, codes: [], message: text };
  const error = json.error;
  const fields = isRecord(error) ? error : json;
  const codes = [fields.code, fields.type].filter(isCode).map(String);
  const message = typeof error === 'string' ? error : fields.message;
  return { json, codes, message: typeof message === 'string' ? message : text };
}

/** A word, since codes are logged: a quoted prompt is no code. */
function isCode(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && codePattern.test(value));
}

const codePattern = /^[\w.:/#-]{1,64}$/;
