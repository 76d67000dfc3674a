import { type ApiErrorCode, apiErrors } from '@model-gateway/contract';
import type { AttemptOutcome } from '../../platforms/model/port.ts';
import { maxTokensIn, type NamedCall } from './api-names.ts';
import { CallError } from './call-error.ts';
import { platformRejectionOf, unknownCause } from './platform-rejection.ts';

export type FailedAttempt = Extract<AttemptOutcome, { kind: 'failed' }>;

/** Never contains the platform's text. */
export function failureOf(failed: FailedAttempt, call: NamedCall, attempts: number): CallError {
  if (failed.isOwnFault === true) {
    const message = 'The gateway could not complete the call; try again in a moment.';
    return new CallError('INTERNAL', message, { retryAfterSeconds: 1, cause: failed.detail });
  }
  const { requestId, code } = failed;
  const { model } = call.request;
  const retryAfterSeconds = retryAfterSecondsOf(failed);
  const { status: platformStatus, detail: cause } = failed;
  const rejected = platformRejectionOf(failed, call);
  const { message = sentenceOf(failed, call, attempts), ...why } = rejected ?? {};
  const stop = failed.account === 'credit' ? ({ shouldRetry: false } as const) : {};
  const details = { model, requestId, retryAfterSeconds, platformStatus, cause, ...stop, ...why };
  return new CallError(code, message, details);
}

/** Undefined for a failing platform: its recovery time is unknown. */
function retryAfterSecondsOf({
  code,
  retryAfterMs,
  refusedForMs,
}: FailedAttempt): number | undefined {
  const waitMs = code === 'THROTTLED' ? retryAfterMs : refusedForMs;
  return waitMs === undefined ? undefined : waitMs / 1000;
}

const accountSentences: Readonly<Record<string, (model: string, tries: string) => string>> = {
  credit: (model) =>
    `The gateway's account at the platform of the model ${model} has no credit left. The request is not the cause; contact the operator.`,
  quota: (model, tries) =>
    `The gateway's account at the platform of the model ${model} has used up its quota (${tries}). A retry does not help. The request is not the cause; contact the operator.`,
};

function sentenceOf(failed: FailedAttempt, call: NamedCall, attempts: number): string {
  const { model } = call.request;
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const account = accountSentences[failed.account ?? 'none']?.(model, tries);
  if (account !== undefined) return account;
  switch (failed.code) {
    case 'BAD_REQUEST':
      return `The model ${model} rejected the request; ${unknownCause}.`;
    case 'AUTH':
      if (failed.status === 401)
        return accessSentence(`the platform rejects the gateway's key for the model ${model}`);
      return `The model ${model} is not enabled for the gateway's account; ask the operator to enable it on the model platform.`;
    case 'NOT_FOUND':
      if (failed.isPathUnknown === true)
        return accessSentence(`the gateway's address for the model ${model} does not exist there`);
      return `The model ${model} does not exist on the model platform; ${call.context.names.models} lists the known models.`;
    case 'THROTTLED':
      return `The model ${model} is still over its tokens-per-minute quota after ${tries}; try again later, or ${lessOf(call)}.`;
    case 'SERVER':
      if (failed.refusedForMs !== undefined) {
        const seconds = Math.ceil(failed.refusedForMs / 1000);
        if (failed.unusable !== undefined) return unusableSentence(model, seconds);
        return `The model platform keeps failing for the model ${model}, so the call was not sent and nothing was charged; try again in ${seconds} s.`;
      }
      return `The model platform failed after ${tries}; try again later.`;
  }
}

function accessSentence(why: string): string {
  return `The gateway's own access to this platform fails: ${why}. The request is not the cause; contact the operator.`;
}

export function unusableOf(model: string, forMs: number): CallError {
  const message = unusableSentence(model, Math.ceil(forMs / 1000));
  return new CallError('SERVER', message, { model, retryAfterSeconds: forMs / 1000 });
}

function unusableSentence(model: string, seconds: number): string {
  return `The gateway could not read the platform's responses for the model ${model}, so the call was not sent and nothing was charged. Try again in ${seconds} s. The operator must correct the configuration.`;
}

function lessOf(call: NamedCall): string {
  const maxTokens = maxTokensIn(call);
  return maxTokens === undefined ? 'send less text' : `lower ${maxTokens}`;
}

function fasterOf(call: NamedCall): string {
  const maxTokens = maxTokensIn(call);
  if (maxTokens === undefined) return 'send less text at once';
  return `lower ${maxTokens}, or split the task`;
}

export function timeoutOf(
  call: NamedCall,
  modelCallMs: number,
  requestId: string | undefined,
): CallError {
  const { model } = call.request;
  const message = `The model ${model} took longer than ${modelCallMs / 1000} s; ${fasterOf(call)}.`;
  return new CallError('TIMEOUT', message, { model, requestId });
}

export function streamTimeoutOf(
  call: NamedCall,
  why: 'idle' | 'total',
  { limitMs, requestId }: { readonly limitMs: number; readonly requestId: string | undefined },
): CallError {
  const { model } = call.request;
  const seconds = limitMs / 1000;
  const message =
    why === 'idle'
      ? `The model ${model} sent nothing for ${seconds} s, and the response is incomplete; try again.`
      : `The model ${model} did not finish within ${seconds} s; ${fasterOf(call)}.`;
  return new CallError('TIMEOUT', message, { model, requestId });
}

export function stoppedOf(model: string, requestId: string | undefined): CallError {
  const message = 'The service is shutting down, and the response is incomplete; try again.';
  return new CallError('SERVER', message, { model, requestId });
}

export function brokenOf(failed: FailedAttempt, call: NamedCall): CallError {
  const { model } = call.request;
  const { requestId, status, namedStatus: platformStatus = status, detail: cause } = failed;
  const rejected = platformRejectionOf(failed, call);
  const { message = 'The model platform cut off the response; try again.', ...why } =
    rejected ?? {};
  return new CallError('SERVER', message, { model, requestId, platformStatus, cause, ...why });
}

export function notStreamable({ operation, request, context }: NamedCall): CallError {
  const { model } = request;
  const instead = context.names.withoutStream(operation.name);
  const message = `The model ${model} cannot stream; ${instead}, or use another model.`;
  return new CallError('NOT_IMPLEMENTED', message, { model });
}

export function abortedOf(model: string): CallError {
  return new CallError('ABORTED', `The caller canceled the call to ${model}.`, { model });
}

/**
 * From the code and cost that another process recorded. ABORTED becomes SERVER, since this caller
 * still waits.
 */
export function endedAs(code: string, model: string, costUsd: string | undefined): CallError {
  const known = Object.keys(apiErrors).find((name): name is ApiErrorCode => name === code);
  const message = 'The request with the same idempotency key ended with this error; try again.';
  const isOwn = known !== undefined && known !== 'ABORTED';
  return new CallError(isOwn ? known : 'SERVER', message, { model, costUsd });
}
