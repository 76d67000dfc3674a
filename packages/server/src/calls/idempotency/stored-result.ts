import type { ApiErrorCode } from '@model-gateway/contract';
import type { StoredResult } from '../../books/rows.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import { CallError } from '../model/call-error.ts';
import type { KeyedCall } from '../model/idempotency-key.ts';
import { type CallResult, type DoneCall, failed, type RelayedCall } from '../model/result.ts';

/** Protected only by the idempotency key. */
const withoutRing = 1;
/** An earlier version treats a result that it cannot open as not stored. */
const underRing = 2;

type StoredCallResult =
  | Omit<DoneCall, 'isReplayed'>
  | Omit<RelayedCall, 'isReplayed'>
  | {
      readonly kind: 'failed';
      readonly code: ApiErrorCode;
      readonly message: string;
      readonly model?: string | undefined;
      readonly requestId?: string | undefined;
    };

/** The same dialect replays it byte for byte. */
export function storeResult(
  result: CallResult,
  dialect: string,
  { key, app, callId }: KeyedCall,
  ring: KeyRing | undefined,
): StoredResult {
  const body = key.seal({ ring, app, callId }, JSON.stringify(storedOf(result)));
  return { dialect, encoderVersion: ring === undefined ? withoutRing : underRing, body };
}

/** Undefined if a later version wrote it, or if it cannot be opened. */
export function readResult(
  { encoderVersion: version, body }: StoredResult,
  { key, app, callId }: KeyedCall,
  ring: KeyRing | undefined,
): CallResult | undefined {
  if (version !== withoutRing && version !== underRing) return undefined;
  const text = key.open({ ring, app, callId }, body);
  if (text === undefined) return undefined;
  // The authentication tag proves that this encoder wrote the text.
  const stored: StoredCallResult = JSON.parse(text);
  if (stored.kind !== 'failed') return { ...stored, isReplayed: true };
  const { code, message, model, requestId } = stored;
  return failed(new CallError(code, message, { model, requestId }));
}

function storedOf(result: CallResult): StoredCallResult {
  if (result.kind !== 'failed') return result;
  const { code, message, details } = result.error;
  const { model, requestId } = details;
  return { kind: 'failed', code, message, model, requestId };
}
