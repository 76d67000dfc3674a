import { CallError } from '../../../calls/call-error.ts';
import type { Answer } from '../../http/answer.ts';
import type { Refusal } from '../../refusal.ts';
import { compatibleErrors, type ErrorName } from '../compatible/errors.ts';
import { type ToldRefusal, toldRefusal } from '../compatible/refusal.ts';
import type { RequestHead } from '../dialect.ts';

/** The answer to a request that is refused, in OpenAI's words. */
export function refuse(refusal: Refusal, request?: RequestHead): Answer {
  const told = toldRefusal(refusal, request);
  const { status } = compatibleErrors[told.name].openai;
  const body = JSON.stringify({ error: errorOf(told, refusal) });
  const { headers } = told;
  if (refusal instanceof CallError) return { status, body, headers };
  return { status, body, headers, refusal: refusal.name };
}

function errorOf({ name, message, param }: ToldRefusal, refusal: Refusal) {
  const { type, code = name } = compatibleErrors[name].openai;
  const known = name === 'NOT_FOUND' ? missing(refusal) : code;
  return { message, type, param: param ?? paramOf[name] ?? null, code: known };
}

/** Which field a refusal is about that names none itself. */
const paramOf: Partial<Record<ErrorName, string>> = {
  ...{ USER_REQUIRED: 'user', MODEL_NOT_PRICED: 'model', MODEL_NOT_ALLOWED: 'model' },
  ...{ AUTH: 'model' },
};

/** A model is missing, or the route. */
function missing(refusal: Refusal): string {
  const isModel = refusal instanceof CallError && refusal.details.model !== undefined;
  return isModel ? 'model_not_found' : 'unknown_url';
}
