import { isRecord } from '../../lib/json-value.ts';

/** From headers or body. Source: platforms, 1.7. */
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
 * The id is stored, answered and logged: a NUL, which PostgreSQL rejects, or megabytes must not
 * cost an answer that is billed.
 */
function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value);
}
