import { headerNames } from '@model-gateway/contract';
import { ApiError } from '../../../calls/call-error.ts';
import { createIdempotencyKey, type IdempotencyKey } from '../../../calls/idempotency/key.ts';
import type { ApiRequest } from './api.ts';

/** Throws INVALID for a body whose type is told twice, or which is not the JSON itself. */
export function checkBodyHeaders(request: ApiRequest): void {
  checkOnce(request, 'content-type');
  const coding = request.header('content-encoding')?.trim() ?? '';
  if (coding === '' || coding.toLowerCase() === 'identity') return;
  const shown = JSON.stringify(coding.slice(0, 80));
  throw new ApiError(
    'INVALID',
    `content-encoding is ${shown}, and no body is decoded here; send the JSON as it is, without this header.`,
  );
}

/** Source: contract, section 1. */
const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;

/** The caller's key for one logical call; undefined where none is sent, or it means nothing. */
export function idempotencyKeyOf(request: ApiRequest): IdempotencyKey | undefined {
  const { method, path } = request;
  if (method !== 'POST') return undefined;
  const key = request.header(headerNames.idempotencyKey);
  if (key === undefined) return undefined;
  checkOnce(request, headerNames.idempotencyKey);
  if (!idempotencyKeyPattern.test(key)) {
    throw new ApiError(
      'INVALID',
      'The header idempotency-key must be 1–255 printable ASCII characters.',
    );
  }
  return createIdempotencyKey({ key, method, path, body: request.body ?? new Uint8Array(0) });
}

/** Of two lines a front may read the one and the service the other. */
function checkOnce(request: ApiRequest, name: string) {
  if (!request.isRepeated(name)) return;
  throw new ApiError('INVALID', `The header ${name} came more than once; send it once.`);
}
