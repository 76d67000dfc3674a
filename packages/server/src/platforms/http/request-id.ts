import { isRecord } from '../../lib/json-value.ts';

/** The platform's id of a request, in its answer's headers or body. Source: platforms, 1.7. */
export function requestIdOf(
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): string | undefined {
  const { 'x-request-id': usual, 'request-id': other, 'x-amzn-requestid': amazons } = headers;
  if (isRequestId(usual)) return usual;
  if (isRequestId(other)) return other;
  if (isRequestId(amazons)) return amazons;
  const inBody = isRecord(body) ? body.request_id : undefined;
  return isRequestId(inBody) ? inBody : undefined;
}

/**
 * An id is stored with the call, answered and logged. A platform that writes a NUL there, which
 * PostgreSQL does not take, must not cost an answer that it bills; nor one that writes megabytes.
 */
function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value);
}
