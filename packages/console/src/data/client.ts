import { en } from '../en.ts';
import { failureIn, RequestError } from './failure.ts';
import { secretHeader } from './secret.ts';

/** Where the API is, on the listener that served this page. */
const base = '/admin/v1';

/** An answer, and the state of what it tells, for a change that must not overtake another's. */
export interface Answered<T> {
  readonly data: T;
  readonly etag: string | undefined;
}

let whenSignedOut = () => {};

/** Says what to do when the session turns out to have ended; one listener, the last one said. */
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

/** Reads a document. Throws a RequestError. */
export function read<T>(path: string, signal?: AbortSignal): Promise<Answered<T>> {
  return request<T>('GET', path, { signal: signal ?? null });
}

/**
 * Asks for a change; `etag` is the state that it was made from. Throws a RequestError, one of
 * status 412 where the state is another by now.
 */
export async function send<T>(
  method: string,
  path: string,
  body: object,
  etag?: string,
): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(etag !== undefined && { 'if-match': etag }),
  };
  return (await request<T>(method, path, { headers, body: JSON.stringify(body) })).data;
}

async function request<T>(method: string, path: string, init: RequestInit): Promise<Answered<T>> {
  const response = await openResponse(method, path, init);
  const body = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  return { data: body, etag: response.headers.get('etag') ?? undefined };
}

/** Asks as this page's session, and returns a successful response. Throws a RequestError. */
export async function openResponse(
  method: string,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = {
    ...{ accept: 'application/json', 'x-requested-with': 'console' },
    ...secretHeader(),
    ...init.headers,
  };
  const options = {
    ...init,
    method,
    headers,
    credentials: 'same-origin',
    redirect: 'error',
  } as const;
  const response = await fetch(`${base}${path}`, options).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new RequestError({ status: 0, code: 'OFFLINE', message: en.failure.offline });
  });
  if (response.ok) return response;
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (status === 401 && path !== '/session') whenSignedOut();
  throw new RequestError(failureIn(status, body));
}
