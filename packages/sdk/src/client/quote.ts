import type { ChatRequest, EmbeddingsRequest, QuoteAnswer } from '@model-gateway/contract';
import { describeObject, type ObjectCallRequest } from '../call/object.ts';
import type { ReadOptions } from '../call/options.ts';
import type { AgentTurnRequest } from '../call/requests.ts';
import { checkRequest } from '../lib/checks.ts';
import type { JsonSchema, StandardSchema } from '../lib/schema.ts';

/** A call to estimate: the request of its method. */
export type QuoteCallRequest = {
  /** Up to 16 other models, quoted in addition to the request's own. */
  readonly models?: readonly string[] | undefined;
} & (
  | { readonly operation: 'chat'; readonly request: ChatRequest }
  | {
      readonly operation: 'objects';
      readonly request: ObjectCallRequest<StandardSchema | JsonSchema>;
    }
  | { readonly operation: 'agents'; readonly request: AgentTurnRequest }
  | { readonly operation: 'embeddings'; readonly request: EmbeddingsRequest }
);

/** The methods for quotes. */
export interface QuoteMethods {
  /**
   * A call's maximum cost, and whether budget and wallet cover it now. It reserves and promises
   * nothing: another call might come first.
   * @throws LlmError as the call would; insufficient money is a result, not an error.
   */
  quote(request: QuoteCallRequest, options?: ReadOptions): Promise<QuoteAnswer>;
}

/** The body of a quote; its method writes the request. */
export function describeQuote(quoteRequest: QuoteCallRequest): object {
  const { operation, request } = checkRequest('quote', quoteRequest);
  return operation === 'objects'
    ? { ...quoteRequest, request: describeObject('quote', request).body }
    : quoteRequest;
}
