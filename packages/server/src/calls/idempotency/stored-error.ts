import assert from 'node:assert';
import { type ApiErrorCode, apiErrors } from '@model-gateway/contract';
import { isRecord } from '../../lib/json-value.ts';
import { CallError } from '../model/call-error.ts';
import { type CallResult, failed } from '../model/result.ts';

/** Written by versions before stored results. */
export function readStoredError(body: string): CallResult {
  const stored: unknown = JSON.parse(body);
  const error = isRecord(stored) && isRecord(stored.error) ? stored.error : {};
  const { message } = error;
  const code = Object.keys(apiErrors).find((name): name is ApiErrorCode => name === error.code);
  assert(code !== undefined && typeof message === 'string', 'a stored error has a code of the API');
  const [model, requestId] = [textOf(error.model), textOf(error.requestId)];
  return failed(new CallError(code, message, { model, requestId }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
