import type { EmbeddingsAnswer, EmbeddingsRequest } from '@model-gateway/contract';
import type { CallOptions } from '../call/options.ts';

/** The part of a client that gives embeddings. */
export interface EmbedMethods {
  /**
   * Gives an embedding of one text, or of each of up to 2,048, which are one call.
   * @throws LlmError; of note: BAD_OUTPUT (not one embedding for each text), BUDGET_EXCEEDED (until
   * 00:00 UTC), INSUFFICIENT_CREDITS (the user's wallet). INVALID where an earlier attempt was
   * answered and its answer was lost: none is kept, so that only another call gets one.
   */
  embed(request: EmbeddingsRequest, options?: CallOptions): Promise<EmbeddingsAnswer>;
}
