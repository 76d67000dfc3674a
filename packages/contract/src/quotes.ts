import type { Budget, CreditsAnswer } from './account.ts';
import type { EmbeddingsRequest } from './embeddings.ts';
import type { AgentRequest, ChatRequest, ObjectRequest } from './operations.ts';

/** The body of `POST /v1/quote`: a call to estimate, which is not made. */
export type QuoteRequest = {
  /** Up to 16 other models, quoted in addition to the request's own. */
  readonly models?: readonly string[] | undefined;
} & (
  | { readonly operation: 'chat'; readonly request: ChatRequest }
  | { readonly operation: 'objects'; readonly request: ObjectRequest }
  | { readonly operation: 'agents'; readonly request: AgentRequest }
  | { readonly operation: 'embeddings'; readonly request: EmbeddingsRequest }
);

/** Why a call would be rejected for lack of money. */
export type QuoteCode = 'BUDGET_EXCEEDED' | 'INSUFFICIENT_CREDITS';

/** The response of `POST /v1/quote`: the current state. It reserves and promises nothing. */
export interface QuoteAnswer {
  /** Whether budget and wallet cover the call's maximum cost. */
  readonly fits: boolean;
  /** The code of the rejection; `null` where the call fits. */
  readonly code: QuoteCode | null;
  /** The model's id as in the request. */
  readonly model: string;
  /**
   * The reservation, for an alias of its most expensive model; `null` for a model without a price.
   */
  readonly maxCostUsd: string | null;
  readonly inputTokensAtMost: number;
  readonly outputTokensAtMost: number;
  /**
   * The limit that the rejection would name; `null` where the call fits. `budget` is the app's
   * daily budget, `wallet` the user's; others have the format of `x-budget-scope`.
   */
  readonly binding: string | null;
  /** `null` for an app without a budget. */
  readonly budget: Budget | null;
  /** The user's; `null` where the app meters no credits. */
  readonly wallet: CreditsAnswer | null;
  /**
   * The largest `maxTokens` that fits, at most the model's limit. 0 where none fits, and `null` for
   * embeddings, which have none.
   */
  readonly maxTokensThatFit: number | null;
  /** The cost of the same request with the other models, in the order of `models`. */
  readonly others: readonly QuotedModel[];
}

/** The same request, with another model. */
export interface QuotedModel {
  readonly model: string;
  readonly maxCostUsd: string | null;
  readonly fits: boolean;
  /** The code of the rejection; `null` where the call fits. */
  readonly code: string | null;
}
