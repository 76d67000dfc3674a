import type { ChatRequest, EmbeddingsRequest, QuoteAnswer } from '@model-gateway/contract';
import { describeObject, type ObjectCallRequest } from '../call/object.ts';
import type { ReadOptions } from '../call/options.ts';
import type { AgentTurnRequest } from '../call/requests.ts';
import { checkRequest } from '../lib/checks.ts';
import type { JsonSchema, StandardSchema } from '../lib/schema.ts';

/** A call that is not made: what its method would be given. */
export type QuoteCallRequest = {
  /** Up to 16 other models, to be quoted beside the request's own. */
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

/** The part of a client that quotes. */
export interface QuoteMethods {
  /**
   * What a call could cost at most, and whether budget and wallet cover it now. It takes nothing
   * and promises nothing: another call may come first.
   * @throws LlmError as the call would; that the money does not cover it is told, and not thrown.
   */
  quote(request: QuoteCallRequest, options?: ReadOptions): Promise<QuoteAnswer>;
}

/** The body of a quote: the request is written as its method writes it. */
export function describeQuote(quoteRequest: QuoteCallRequest): object {
  const { operation, request } = checkRequest('quote', quoteRequest);
  return operation === 'objects'
    ? { ...quoteRequest, request: describeObject('quote', request).body }
    : quoteRequest;
}
