import type { LlmError } from '../call/llm-error.ts';

/** An answer that is no success, as it came. */
export interface Refusal {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: ArrayBuffer | null;
}

/** Reads an answer that is no success; of a body that breaks nothing is left. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const { status, statusText, headers } = response;
  // A body that redirects is of no use, and some of these statuses may have none.
  const isRead = status >= 400;
  const bytes = isRead ? await response.arrayBuffer().catch(() => null) : null;
  if (!isRead) await response.body?.cancel();
  return { status, statusText, headers, bytes };
}

/** The codes that are no errors of the API on `/v1` either, but pass. */
const passing = new Map([
  ['TOO_MANY_REQUESTS', 'Too Many Requests'],
  ['LIMIT_EXCEEDED', 'Limit Exceeded'],
]);

/** The same in the words of `/v1`, which the client decides by. */
export function asGatewayAnswer({ status, headers, bytes }: Refusal): Response {
  const code = headers.get('x-error-code');
  if (code === null) return new Response(bytes, { status, headers });
  const message = passing.get(code);
  const body = message === undefined ? { error: { code, message: code } } : { message };
  return new Response(JSON.stringify(body), { status, headers });
}

/**
 * What a client of OpenAI's API is answered in the place of an error: the last answer as it came,
 * or that there was none. Of what was tried again here it is told to try no more, but for
 * THROTTLED, which is for the caller to try.
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
