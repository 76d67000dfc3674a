import type { EmbeddingsAnswer, EmbeddingsRequest } from '@model-gateway/contract';
import type { CallOptions } from '../call/options.ts';

/** The methods for embeddings. */
export interface EmbedMethods {
  /**
   * Requests an embedding of one text, or of each of up to 2,048, as one call.
   * @throws LlmError; of note: BAD_OUTPUT (not one embedding for each text), BUDGET_EXCEEDED (until
   * 00:00 UTC), INSUFFICIENT_CREDITS (the user's wallet). INVALID where an earlier attempt
   * succeeded and its response was lost: none is stored, so only a new call gets one.
   */
  embed(request: EmbeddingsRequest, options?: CallOptions): Promise<EmbeddingsAnswer>;
}
