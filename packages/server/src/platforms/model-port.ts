import { failedOddly } from './failed-attempt.ts';
import type { ModelRequest } from './model-request.ts';
import type { AttemptOptions, AttemptOutcome, ModelPort } from './port.ts';

/**
 * A port over one exchange, on a wire that may be known: it tells the platform's id of the request
 * when it must, and never throws, whatever a codec or a library does.
 */
export function createModelPort(
  exchange: (request: ModelRequest, options: AttemptOptions) => Promise<AttemptOutcome>,
  { streams, wire }: Pick<ModelPort, 'streams' | 'wire'>,
): ModelPort {
  return {
    streams,
    wire,
    async attempt(request, options) {
      const { onRequestId } = options;
      onRequestId?.(undefined);
      let outcome: AttemptOutcome;
      try {
        outcome = await exchange(request, options);
      } catch (error) {
        outcome = failedOddly(error);
      }
      // It may stand in the body alone.
      onRequestId?.(outcome.requestId);
      return outcome;
    },
  };
}
