import { bodyBounds, findExcess, longNumberProblem } from '../../lib/json-size.ts';
import { findBreach } from '../../lib/strict-json.ts';
import type { ErrorCode } from '../../operations/context/console-error.ts';
import { ConsoleError, errorStatuses } from '../../operations/context/console-error.ts';

export interface ConsoleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  /** Throws TOO_LARGE above `bytesMax`. */
  readonly body: (bytesMax: number) => Promise<Uint8Array>;
  /** In parts, while they keep arriving. Throws like `body`. */
  readonly chunks: (bytesMax: number) => AsyncIterable<Uint8Array>;
  readonly disconnected: AbortSignal;
  /** Call when the login is allowed to make the request. */
  readonly onLogin?: (use: LoginUse) => void;
}

/** A short response, or a stream of events. */
export type LoginUse = 'response' | 'events';

export interface ConsoleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

/** In every response: no other site, no inline script or style, no caching. */
export const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

export function jsonResponse(
  status: number,
  body: unknown,
  headers: ConsoleResponse['headers'] = {},
): ConsoleResponse {
  return {
    status,
    headers: { ...securityHeaders, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

export function errorResponse(error: ConsoleError): ConsoleResponse {
  const { code, message, field, now } = error;
  const body = {
    error: {
      ...{ code, message },
      ...(field === undefined ? {} : { field }),
      ...(now === undefined ? {} : { now }),
    },
  };
  const status = errorStatuses[code];
  return jsonResponse(status, body, moreHeaders[code] ?? {});
}

export const bearerChallenge = 'Bearer realm="model-gateway"';

const moreHeaders: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  LIMITED: { 'retry-after': '60' },
  TOO_LARGE: { connection: 'close' },
  UNAUTHENTICATED: { 'www-authenticate': bearerChallenge },
};

export async function readJsonBody(request: ConsoleRequest, bytesMax: number): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!jsonType.test(type)) {
    const shown = JSON.stringify(type.slice(0, 80));
    throw new ConsoleError('INVALID', `content-type must be application/json; it is ${shown}`);
  }
  return parseJsonBody(await request.body(bytesMax));
}

/** Throws INVALID for content that a body must not have. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const excess = findExcess(bytes, bodyBounds);
  if (excess !== undefined) {
    const fault =
      excess.bound === 'number'
        ? longNumberProblem
        : 'exceeds the limit of levels, values or names';
    throw new ConsoleError('INVALID', `The body ${fault}`);
  }
  const { text, value } = parsed(bytes);
  const breach = findBreach(text);
  if (breach === undefined) return value;
  const { path, text: fault } = breach;
  if (path === '') throw new ConsoleError('INVALID', `The body ${fault}.`);
  throw new ConsoleError('INVALID', `${path} ${fault}.`, { field: path });
}

function parsed(bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return { text, value };
  } catch {
    throw new ConsoleError('INVALID', 'The body is not UTF-8 JSON; send a JSON object');
  }
}

export const jsonType = /^application\/json\s*(?:;.*)?$/i;

export function mediaType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
