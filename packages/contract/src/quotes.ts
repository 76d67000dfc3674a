import type { Budget, CreditsAnswer } from './account.ts';
import type { EmbeddingsRequest } from './embeddings.ts';
import type { AgentRequest, ChatRequest, ObjectRequest } from './operations.ts';

/** The body of `POST /v1/quote`: a call that is not made. */
export type QuoteRequest = {
  /** Up to 16 other models, to be quoted beside the request's own. */
  readonly models?: readonly string[] | undefined;
} & (
  | { readonly operation: 'chat'; readonly request: ChatRequest }
  | { readonly operation: 'objects'; readonly request: ObjectRequest }
  | { readonly operation: 'agents'; readonly request: AgentRequest }
  | { readonly operation: 'embeddings'; readonly request: EmbeddingsRequest }
);

/** Why a call would be refused for want of money. */
export type QuoteCode = 'BUDGET_EXCEEDED' | 'INSUFFICIENT_CREDITS';

/** The answer of `POST /v1/quote`: how things stand now. Nothing is held, and nothing promised. */
export interface QuoteAnswer {
  /** Whether budget and wallet cover the most that the call can cost. */
  readonly fits: boolean;
  /** What the call would be refused with; `null` where it fits. */
  readonly code: QuoteCode | null;
  /** The model's id as it was sent. */
  readonly model: string;
  /** Would be held, of an alias for its dearest model; `null` for a model without a price. */
  readonly maxCostUsd: string | null;
  readonly inputTokensAtMost: number;
  readonly outputTokensAtMost: number;
  /**
   * What the refusal would name: `budget` is the app's own of the day, `wallet` the user's, any
   * other one a budget as the header `x-budget-scope` writes it; `null` where the call fits.
   */
  readonly binding: string | null;
  /** `null` for an app without a budget. */
  readonly budget: Budget | null;
  /** The user's; `null` where the app meters no credits. */
  readonly wallet: CreditsAnswer | null;
  /**
   * The largest `maxTokens` that fits, at most what the model can write; 0 where none does, and
   * `null` for embeddings, which have none.
   */
  readonly maxTokensThatFit: number | null;
  /** What the same request would cost of the other models, in the order asked. */
  readonly others: readonly QuotedModel[];
}

/** The same request, of another model. */
export interface QuotedModel {
  readonly model: string;
  readonly maxCostUsd: string | null;
  readonly fits: boolean;
  /** What the call would be refused with; `null` where it fits. */
  readonly code: string | null;
}
