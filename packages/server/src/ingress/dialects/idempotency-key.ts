import { headerNames } from '@model-gateway/contract';
import { CallError } from '../../calls/model/call-error.ts';
import { createIdempotencyKey, type IdempotencyKey } from '../../calls/model/idempotency-key.ts';
import { checkOnce } from '../body/check-once.ts';
import type { RequestHead } from '../exchange/dialect.ts';

/** Contract, section 1. */
const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;

/** Undefined without a key, or for methods other than POST. Throws INVALID. */
export function idempotencyKeyOf(
  request: RequestHead,
  body: Uint8Array = new Uint8Array(0),
): IdempotencyKey | undefined {
  const { method, path } = request;
  if (method !== 'POST') return undefined;
  const key = request.header(headerNames.idempotencyKey);
  if (key === undefined) return undefined;
  checkOnce(request, headerNames.idempotencyKey);
  if (!idempotencyKeyPattern.test(key)) {
    throw new CallError(
      'INVALID',
      'The header idempotency-key must be 1–255 printable ASCII characters.',
    );
  }
  return createIdempotencyKey({ key, method, path, body });
}
