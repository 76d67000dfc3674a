import { failedOddly } from './failed-attempt.ts';
import type { ModelRequest } from './model-request.ts';
import type { AttemptOptions, AttemptOutcome, ModelPort } from './port.ts';

/** A port over one exchange: it never throws, whatever a codec or a library does. */
export function createModelPort(
  exchange: (request: ModelRequest, options: AttemptOptions) => Promise<AttemptOutcome>,
  { streams, wire }: Pick<ModelPort, 'streams' | 'wire'>,
): ModelPort {
  return {
    streams,
    wire,
    async attempt(request, options) {
      try {
        return await exchange(request, options);
      } catch (error) {
        return failedOddly(error);
      }
    },
  };
}
