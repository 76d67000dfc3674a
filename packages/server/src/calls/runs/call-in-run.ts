import type { CallFields } from '@model-gateway/contract';
import type { Run } from '../../domain/run.ts';
import type { Call } from '../model/call.ts';
import { CallError } from '../model/call-error.ts';

/** Returns an error if the user differs from the run's. */
export function callInRun<Request extends CallFields>(
  call: Call<Request>,
  { userId }: Run,
): Call<Request> | CallError {
  const { request } = call;
  if (userId === undefined || request.userId === userId) return call;
  if (request.userId === undefined) return { ...call, request: { ...request, userId } };
  const { user } = call.context.names;
  const cure = 'remove it, or send the user of the run';
  const message = `${user}: the run belongs to another user; ${cure}.`;
  return new CallError('INVALID', message, { param: 'user' });
}
