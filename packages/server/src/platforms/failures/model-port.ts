import type { ModelRequest } from '../model/model-request.ts';
import type { AttemptOptions, AttemptOutcome, ModelPort } from '../model/port.ts';
import { unexpectedFailure } from './failed-attempt.ts';

/** Never throws, even if a codec or a library does. */
export function createModelPort(
  exchange: (request: ModelRequest, options: AttemptOptions) => Promise<AttemptOutcome>,
  kind: Omit<ModelPort, 'attempt'>,
): ModelPort {
  return {
    ...kind,
    async attempt(request, options) {
      try {
        return await exchange(request, options);
      } catch (error) {
        return unexpectedFailure(error);
      }
    },
  };
}
