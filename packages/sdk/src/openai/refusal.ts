import type { LlmError } from '../call/llm-error.ts';

/** An unsuccessful response, unchanged. */
export interface Refusal {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: ArrayBuffer | null;
}

/** Reads an unsuccessful response; a body that breaks is dropped. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const { status, statusText, headers } = response;
  // The body of a redirect is useless, and some of these statuses may have none.
  const isRead = status >= 400;
  const bytes = isRead ? await response.arrayBuffer().catch(() => null) : null;
  if (!isRead) await response.body?.cancel();
  return { status, statusText, headers, bytes };
}

/** The codes that are not errors of the API on `/v1` either, but temporary. */
const passing = new Map([
  ['TOO_MANY_REQUESTS', 'Too Many Requests'],
  ['LIMIT_EXCEEDED', 'Limit Exceeded'],
]);

/** The same in the format of `/v1`, on which the client's decisions depend. */
export function asGatewayAnswer({ status, headers, bytes }: Refusal): Response {
  const code = headers.get('x-error-code');
  if (code === null) return new Response(bytes, { status, headers });
  const message = passing.get(code);
  const body = message === undefined ? { error: { code, message: code } } : { message };
  return new Response(JSON.stringify(body), { status, headers });
}

/**
 * The response for a client of OpenAI's API in place of an error: the last response unchanged, or
 * that there was none. It forbids retries, since this client has made them, except for THROTTLED.
 */
export function refusedAnswer(error: LlmError, refusal: Refusal | undefined): Response {
  if (error.status === 0 || refusal === undefined) return noAnswer(error);
  const { bytes, status, statusText } = refusal;
  const headers = new Headers(refusal.headers);
  if (error.code !== 'THROTTLED') headers.set('x-should-retry', 'false');
  return new Response(bytes, { status, statusText, headers });
}

function noAnswer({ code, message }: LlmError): Response {
  const [status, itsCode] = code === 'TIMEOUT' ? [504, 'timeout'] : [502, code];
  const error = { message, type: 'server_error', param: null, code: itsCode };
  const headers = {
    'content-type': 'application/json',
    'x-error-code': code,
    'x-should-retry': 'false',
  };
  return new Response(JSON.stringify({ error }), { status, headers });
}
