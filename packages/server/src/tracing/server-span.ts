import { noRouteName } from '../domain/ingress.ts';
import type { AnsweredRequest } from '../lib/observer.ts';
import type { SpanAttributes } from './span.ts';

/** Low cardinality: unknown methods are `HTTP`, and without a route there is no path. */
export function serverSpanName({ method, path, route }: AnsweredRequest): string {
  const verb = knownMethods.includes(method) ? method : 'HTTP';
  return route === noRouteName ? verb : `${verb} ${path}`;
}

const knownMethods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'],
];
const originalCharactersMax = 32;
const pathCharactersMax = 256;

/** `sentPath`: the original path. */
export function serverAttributes(request: AnsweredRequest, sentPath: string): SpanAttributes {
  const { method, path, route, status, requestId, refusal, facts } = request;
  const code = refusal ?? facts.code;
  const isKnown = knownMethods.includes(method);
  const isRouted = route !== noRouteName;
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown ? undefined : method.slice(0, originalCharactersMax),
    'http.route': isRouted ? path : undefined,
    // A value in the path of a route may name a user.
    'url.path': isRouted
      ? path.replaceAll(/:\w+/g, 'REDACTED')
      : sentPath.slice(0, pathCharactersMax),
    // The listener's own: TLS ends in front of it.
    'url.scheme': 'http',
    'http.response.status_code': status,
    'error.type': code === 'OK' ? undefined : code,
    'model_gateway.app': facts.app,
    'model_gateway.request.id': requestId,
    'model_gateway.call.id': facts.callId,
  };
}
