import type { ApiErrorCode } from '@model-gateway/contract';
import type { StoredResult } from '../../books/rows.ts';
import { CallError } from '../call-error.ts';
import { type CallResult, type DoneCall, failed, type RelayedCall } from '../result.ts';
import type { KeyedCall } from './key.ts';

/** What is written below: a change of it is a further number, and a reader of its own. */
const encoderVersion = 1;

/** A result in the form of version 1: all that its dialect makes an answer of. */
type Stored =
  | Omit<DoneCall, 'isReplayed'>
  | Omit<RelayedCall, 'isReplayed'>
  | {
      readonly kind: 'failed';
      readonly code: ApiErrorCode;
      readonly message: string;
      readonly model?: string | undefined;
      readonly requestId?: string | undefined;
    };

/** A result as it is kept under its key, to be told by the same dialect, byte for byte. */
export function storeResult(
  result: CallResult,
  dialect: string,
  { key, callId }: KeyedCall,
): StoredResult {
  const body = key.encrypt(callId, JSON.stringify(storedOf(result)));
  return { dialect, encoderVersion, body };
}

/** A kept result; undefined for one that a later version wrote and this one cannot read. */
export function readResult(
  { encoderVersion: version, body }: StoredResult,
  { key, callId }: KeyedCall,
): CallResult | undefined {
  if (version !== encoderVersion) return undefined;
  // Sealed with a tag: only this encoder can have written it.
  const stored: Stored = JSON.parse(key.decrypt(callId, body));
  if (stored.kind !== 'failed') return { ...stored, isReplayed: true };
  const { code, message, model, requestId } = stored;
  return failed(new CallError(code, message, { model, requestId }));
}

function storedOf(result: CallResult): Stored {
  if (result.kind !== 'failed') return result;
  const { code, message, details } = result.error;
  const { model, requestId } = details;
  return { kind: 'failed', code, message, model, requestId };
}
