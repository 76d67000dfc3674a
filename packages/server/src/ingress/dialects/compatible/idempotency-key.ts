import type { IdempotencyKey } from '../../../calls/model/idempotency-key.ts';
import type { RequestHead } from '../../exchange/dialect.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { compatibleHeaders } from './header-names.ts';

/** As on `/v1`, except that the user header is part of the request. */
export function compatibleKeyOf(
  request: RequestHead,
  body: Uint8Array | undefined,
): IdempotencyKey | undefined {
  const userId = request.header(compatibleHeaders.userId);
  if (userId === undefined) return idempotencyKeyOf(request, body);
  const { method, path, header, isRepeated } = request;
  return idempotencyKeyOf({ method, path: `${path}\n${userId}`, header, isRepeated }, body);
}
