import { accountId, arnPrefix, unknownModel } from '../lib/platform-error.ts';
import type { Failure, ModelCall } from '../model/outcome.ts';

/** 429; `retryAfter` is the header's value. */
export function throttled(call: ModelCall, retryAfter?: string): Failure {
  const where = `${call.request.model} in account ${accountId}`;
  const message = `Rate limit reached for ${where} on input tokens per min (TPM).`;
  const error = { status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error', message };
  if (retryAfter === undefined) return { kind: 'error', error };
  return { kind: 'error', error, headers: { 'retry-after': retryAfter } };
}

/** 429; waiting does not help. */
export function outOfQuota(): Failure {
  return {
    kind: 'error',
    error: {
      status: 429,
      code: 'insufficient_quota',
      type: 'insufficient_quota',
      message: `Account ${accountId} exceeded its current quota, check its billing details.`,
    },
  };
}

/** 500, 503 or 529. */
export function serverError(status: number, code: string): Failure {
  const type = status === 529 ? 'overloaded_error' : 'server_error';
  const message = `The server had an error while processing your request for account ${accountId}.`;
  return { kind: 'error', error: { status, code, type, message } };
}

/** 400 */
export function rejected(call: ModelCall): Failure {
  return {
    kind: 'error',
    error: {
      status: 400,
      code: 'validation_error',
      type: 'invalid_request_error',
      message: `Unsupported parameter for '${arnPrefix}:model/${call.request.model}'.`,
    },
  };
}

const action = 'bedrock-mantle:CreateInference';

/** 403: the caller's role may not use this model. */
export function denied(call: ModelCall): Failure {
  const user = `arn:aws:sts::${accountId}:assumed-role/model-gateway/session`;
  const resource = `${arnPrefix}:project/${call.projectId}`;
  return {
    kind: 'error',
    error: {
      status: 403,
      code: 'access_denied',
      type: 'permission_denied_error',
      message: `User: ${user} is not authorized to perform: ${action} on resource: ${resource}`,
    },
  };
}

/** 401 */
export function unauthorized(): Failure {
  return {
    kind: 'error',
    error: {
      status: 401,
      code: 'invalid_api_key',
      type: 'authentication_error',
      message: `Signature expired for arn:aws:iam::${accountId}:user/model-gateway.`,
    },
  };
}

/** 404: listed but missing. */
export function missing(call: ModelCall): Failure {
  return { kind: 'error', error: unknownModel(call.request.model) };
}
