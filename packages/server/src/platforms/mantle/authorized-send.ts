import {
  isFailure,
  type Send,
  type SendRequest,
  type TransportFailure,
} from '../http/transport.ts';
import type { Bearers } from './bearers.ts';

/** Renews a refused bearer and resends once: a refused request costs nothing. */
export function createAuthorizedSend(parts: { send: Send; bearers: Bearers }): Send {
  const { send, bearers } = parts;
  return async (request) => {
    const { signal } = request;
    const bearer = await untilCut(bearers.current(), signal).catch(noCredentials);
    if (typeof bearer !== 'string') return bearer;
    const answer = await send(withBearer(request, bearer));
    if (isFailure(answer) || (answer.status !== 401 && answer.status !== 403)) return answer;
    const next = await untilCut(bearers.another(bearer), signal).catch(() => {
      /* the refusal says enough: the first bearer was made from what there is */
      return undefined;
    });
    return typeof next === 'string' ? send(withBearer(request, next)) : answer;
  };
}

function withBearer(request: SendRequest, bearer: string): SendRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${bearer}` } };
}

/** Credential sources take no signal, so the call's own time ends the wait. */
function untilCut<T>(work: Promise<T>, signal: AbortSignal): Promise<T | TransportFailure> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(cut());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function cut() {
  return failureOf('aborted', 'ABORTED', 'the call was cut while credentials were looked for');
}

function noCredentials(error: unknown): TransportFailure {
  const message = error instanceof Error ? error.message : String(error);
  return failureOf('no-credentials', 'NO_CREDENTIALS', message);
}

function failureOf(
  kind: 'aborted' | 'no-credentials',
  causeCode: string,
  message: string,
): TransportFailure {
  return { kind, wasSent: false, causeCode, message, answer: undefined };
}
