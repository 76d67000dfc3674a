import assert from 'node:assert';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { CallRequest } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Attempt } from '../attempts.ts';
import { badOutput } from './bad-output.ts';
import type { Answered, ModelOperation, Reading } from './operation.ts';

/** An operation whose answers may take a while to check, since another thread does it. */
export interface CheckedOperationParts<Request extends CallRequest> {
  readonly name: ModelOperation<Request>['name'];
  readonly encode: ModelOperation<Request>['encode'];
  readonly check: (answered: Answered, request: Request, model: CatalogModel) => Promise<Reading>;
  readonly schemaText: ModelOperation<Request>['schemaText'];
}

/**
 * The operation for one call. Its answer is checked as a part of the attempt, so that it counts
 * towards the time that the call has; reading it is then a matter of course. Needs attempts that
 * are `withChecks`.
 */
export function createCheckedOperation<Request extends CallRequest>(
  parts: CheckedOperationParts<Request>,
): ModelOperation<Request> {
  const readings = new WeakMap<Answered, Reading>();
  const { name, schemaText } = parts;
  return { name, schemaText, encode, read };

  function encode(request: Request, model: CatalogModel): CheckedOptions {
    const checkAnswer = async (answered: Answered) => {
      readings.set(answered, await check(answered, request, model));
    };
    return { ...parts.encode(request, model), checkAnswer };
  }

  async function check(answered: Answered, request: Request, model: CatalogModel) {
    try {
      return await parts.check(answered, request, model);
    } catch {
      /* Whatever it was, the answer has been paid for, and the call must be settled. */
      return badOutput(request.model, 'answered with something that could not be checked');
    }
  }

  function read(answered: Answered): Reading {
    const reading = readings.get(answered);
    assert(reading !== undefined, 'an answer is checked by its attempt, before it is read');
    return reading;
  }
}

/** Attempts that check their answers, where their operation asks for it. */
export function withChecks(attempt: Attempt): Attempt {
  return async (request) => {
    if (!isChecked(request.options)) return attempt(request);
    const { checkAnswer, ...options } = request.options;
    const outcome = await attempt({ ...request, options });
    if (outcome.kind === 'answered') await checkAnswer(outcome);
    return outcome;
  };
}

interface CheckedOptions extends Partial<LanguageModelV4CallOptions> {
  /** Never rejects. */
  readonly checkAnswer: (answered: Answered) => Promise<void>;
}

function isChecked<Options extends object>(options: Options): options is Options & CheckedOptions {
  return 'checkAnswer' in options && typeof options.checkAnswer === 'function';
}
