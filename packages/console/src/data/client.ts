import { en } from '../text/en.ts';
import { failureIn, RequestError } from './failure.ts';
import { secretHeader } from './secret.ts';

const base = '/admin/v1';

/** `etag` identifies the state, so a change does not overwrite another one. */
export interface Answered<T> {
  readonly data: T;
  readonly etag: string | undefined;
}

let whenSignedOut = () => {};

/** Called when the session has ended; only the last listener counts. */
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

/** Throws a RequestError. */
export function read<T>(path: string, signal?: AbortSignal): Promise<Answered<T>> {
  return request<T>('GET', path, { signal: signal ?? null });
}

/**
 * `etag` is the state before the change. Throws a RequestError: 412 where the state has changed.
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

/** Throws a RequestError for any status but success. */
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
  const signedOut = whenSignedOut;
  const response = await fetch(`${base}${path}`, options).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new RequestError({ status: 0, code: 'OFFLINE', message: en.failure.offline });
  });
  if (response.ok) return response;
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  // A request from before a login proves nothing about the later session.
  if (status === 401 && path !== '/session' && signedOut === whenSignedOut) signedOut();
  throw new RequestError(failureIn(status, body));
}
