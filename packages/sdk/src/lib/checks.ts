import { checkCount, checkTimer } from './check-option.ts';
import { isObject, isRecord } from './is-record.ts';

/** The time limit of one whole call. */
export function checkTimeoutMs(owner: string, value: unknown): number {
  return checkTimer(owner, 'timeoutMs', value, 'the default of 120000');
}

/** A number of attempts. */
export function checkMaxAttempts(owner: string, value: unknown): number {
  const hint = ', the first included; 1 disables retries. Omit it for the default of 3';
  return checkCount(owner, 'maxAttempts', value, hint);
}

/** The API's base URL, without a trailing slash. */
export function checkBaseUrl(owner: string, value: unknown): string {
  const url = parseUrl(value);
  const problem = baseUrlProblem(url, value);
  if (url !== undefined && problem === undefined) return url.origin + url.pathname;
  throw new TypeError(
    `${owner}: baseUrl ${problem}; use for example https://gateway.example.com/v1`,
  );
}

function baseUrlProblem(url: URL | undefined, value: unknown): string | undefined {
  if (!isText(value)) return 'is missing; set it or MODEL_GATEWAY_URL';
  if (url === undefined || !/^https?:/.test(url.protocol)) return 'must be an HTTP or HTTPS URL';
  const { username, password, search, hash, pathname } = url;
  if (username + password + search + hash !== '') {
    return 'must have no user, password, query or fragment';
  }
  if (value.endsWith('/')) return 'ends with a slash; remove the slash';
  return pathname.endsWith('/v1') ? undefined : 'must end with the version, /v1';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A key that fits a header. It is never quoted: messages end up in logs. */
export function checkApiKey(owner: string, value: unknown): string {
  if (!isText(value)) {
    throw new TypeError(`${owner}: apiKey is missing; set it or MODEL_GATEWAY_KEY`);
  }
  if (isHeaderText(value)) return value;
  throw new TypeError(`${owner}: apiKey must be ${headerText}; .trim() the text of a file`);
}

/** 1–255 printable ASCII characters. Source: the contract, header `idempotency-key`. */
export function checkIdempotencyKey(owner: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= 255 && isHeaderText(value)) return value;
  throw new TypeError(
    `${owner}: idempotencyKey must have 1 to 255 printable ASCII characters and no space at ` +
      'either end',
  );
}

/** A signal, not the controller that some callers pass instead. */
export function checkSignal(owner: string, value: unknown): AbortSignal {
  if (isSignal(value)) return value;
  throw new TypeError(`${owner}: signal must be an AbortSignal, such as controller.signal`);
}

const ownHeaders: Readonly<Record<string, string>> = {
  'x-api-key': 'pass apiKey to createClient',
  'idempotency-key': 'use the option idempotencyKey',
  ...Object.fromEntries(
    ['content-type', 'accept', 'content-length', 'transfer-encoding', 'connection', 'host'].map(
      (name) => [name, 'the client sets it'],
    ),
  ),
};
const headerText = 'printable ASCII without a space at either end';

/** Headers by lower-case name, except headers that the client sets itself. */
export function checkHeaders(owner: string, value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value) || Symbol.iterator in value) {
    throw new TypeError(
      `${owner}: headers must be an object; for Headers or a Map, pass ` +
        'Object.fromEntries(headers)',
    );
  }
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    const ownName = ownHeaders[name.toLowerCase()];
    if (ownName !== undefined) {
      throw new TypeError(`${owner}: headers must not contain ${name}; ${ownName}`);
    }
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || typeof text !== 'string' || !isHeaderText(text)) {
      throw new TypeError(
        `${owner}: the header ${JSON.stringify(name)} needs a valid name and a value of ${headerText}`,
      );
    }
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

/** Checks that a request is an object; throws a TypeError that names the correction. */
export function checkRequest<Request extends object>(owner: string, request: Request): Request {
  const value: unknown = request;
  if (isRecord(value)) return request;
  throw new TypeError(`${owner}: the request must be an object`);
}

function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

function isSignal(value: unknown): value is AbortSignal {
  const { aborted, addEventListener } = Object(value);
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

function parseUrl(text: unknown): URL | undefined {
  try {
    return new URL(String(text));
  } catch {
    // Not a URL: `URL.canParse` is missing in early Node 18.
    return undefined;
  }
}
