import { apiErrors, type ErrorBody, gatewayErrors } from '@model-gateway/contract';
import { CallError } from '../../../calls/model/call-error.ts';
import type { Answer } from '../../exchange/answer.ts';
import type { Refusal } from '../../exchange/refusal.ts';
import { refusalHeaders } from '../refusal-headers.ts';

/**
 * Gateway errors contain only `{"message"}`; API errors also have a code. Contract, sections 1 and
 * 4.
 */
export function refuse(refusal: Refusal): Answer {
  const headers = refusalHeaders(refusal);
  if (refusal instanceof CallError) {
    const body: ErrorBody = { error: errorOf(refusal) };
    return { status: apiErrors[refusal.code].status, body: JSON.stringify(body), headers };
  }
  const { name } = refusal;
  const { status, message } = gatewayErrors[name];
  return { status, body: JSON.stringify({ message }), headers, refusal: name };
}

export function errorOf({ code, message, details }: CallError): ErrorBody['error'] {
  const { requestId, model } = details;
  return {
    ...{ code, message },
    ...(requestId === undefined ? {} : { requestId }),
    ...(model === undefined ? {} : { model }),
  };
}
