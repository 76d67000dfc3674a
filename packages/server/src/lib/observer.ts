import type { RequestFacts, StreamEnd } from './request-facts.ts';

/**
 * Each event comes once, as plain facts that a listener may keep but must not change. Listeners are
 * optional: `observer.event?.({ … })` creates no facts without a listener.
 */
export interface Observer {
  readonly requestAnswered?: Listener<AnsweredRequest> | undefined;
  readonly budgetRefused?: Listener<BudgetRefusal> | undefined;
  readonly callRejected?: Listener<RejectedCall> | undefined;
  /** Money is reserved; the platform is called next. */
  readonly callAdmitted?: Listener<AdmittedCall> | undefined;
  readonly attemptEnded?: Listener<EndedAttempt> | undefined;
  /** Also after its caller has disconnected. */
  readonly callSettled?: Listener<SettledCall> | undefined;
  /** A response has a tier, a number or a cost without a price. */
  readonly priceMismatched?: Listener<MismatchedPrice> | undefined;
  readonly batchCommitted?: Listener<CommittedBatch> | undefined;
  readonly streamBegan?: Listener<BegunStream> | undefined;
  readonly streamWritten?: Listener<WrittenContent> | undefined;
  readonly streamEnded?: Listener<EndedStream> | undefined;
}

/** Called synchronously: it must not wait or work. */
export type Listener<Event> = (event: Event) => void;

export interface AnsweredRequest {
  /** Undefined for malformed HTTP, which the log counts by network. */
  readonly requestId: string | undefined;
  readonly method: string;
  /** The route's pattern, `/v1/credits/:userId`; `other` without a route. */
  readonly path: string;
  /** Low cardinality; `other` without a route. */
  readonly route: string;
  readonly status: number;
  readonly tookMs: number;
  readonly remote: string | undefined;
  /** The gateway's own rejection; undefined for responses of the API. */
  readonly refusal: string | undefined;
  readonly facts: RequestFacts;
}

export interface BudgetRefusal {
  readonly app: string;
  /** Scope, and day or month; an app's daily budget is `app:NAME`. */
  readonly budgets: readonly { readonly scope: string; readonly period: string }[];
  readonly neededPicoUsd: bigint;
}

export interface RejectedCall {
  readonly app: string;
  readonly code: string;
  /** The budget with the least left; undefined for a wallet. */
  readonly budget: { readonly scope: string; readonly period: string } | undefined;
  /** Undefined for a wallet, and if only the column's range limits spending. */
  readonly capPicoUsd: bigint | undefined;
  readonly spentPicoUsd: bigint | undefined;
  readonly heldPicoUsd: bigint;
  readonly remainingPicoUsd: bigint;
  readonly neededPicoUsd: bigint;
  readonly isUnpriced: boolean;
}

export interface AdmittedCall {
  readonly callId: string;
  readonly app: string;
  readonly route: string;
  readonly model: string;
  readonly heldPicoUsd: bigint;
  readonly reserveMs: number;
}

export interface EndedAttempt {
  readonly callId: string;
  /** From 1. */
  readonly number: number;
  /** Low cardinality; `other` for a model without a catalog row. */
  readonly model: string;
  readonly platform: string;
  readonly outcome: string;
  readonly status: number | undefined;
  /** Why the platform rejects the operator's account, or why its response had no answer. */
  readonly account?: string | undefined;
  readonly unusable?: string | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly tookMs: number;
}

/** Input includes both cached kinds, output includes reasoning. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export interface SettledCall {
  readonly callId: string;
  readonly app: string;
  readonly route: string;
  /** The last model called; for an alias, one of its models. */
  readonly model: string;
  /** Low cardinality; `other` for a model without a catalog row. */
  readonly modelLabel: string;
  readonly platform: string;
  readonly code: string;
  readonly platformStatus: number | undefined;
  readonly basis: string;
  /** Reported by the platform for the last attempt; undefined if nothing. */
  readonly tokens: TokenCounts | undefined;
  readonly isUnpriced: boolean;
  /** Its caller had disconnected before. */
  readonly isDetached: boolean;
  readonly modelMs: number;
  readonly settleMs: number;
}

/** Each field has low cardinality. */
export interface MismatchedPrice {
  readonly platform: string;
  readonly field: string;
  readonly reason: string;
}

export interface CommittedBatch {
  readonly operations: number;
  readonly waitMs: number;
  readonly tookMs: number;
}

export interface BegunStream {
  readonly route: string;
  /** Since the request. */
  readonly tookMs: number;
}

export interface WrittenContent {
  readonly route: string;
  readonly delayMs: number;
}

export interface EndedStream {
  readonly route: string;
  readonly end: StreamEnd;
  readonly pausedMs: number;
}

/**
 * Calls them in order. A listener that throws is reported once, harms no other, and still receives
 * later events.
 */
export function joinObservers(
  observers: readonly Observer[],
  onError: (error: unknown) => void,
): Observer {
  return {
    requestAnswered: notifyAll(observers.map((each) => each.requestAnswered)),
    budgetRefused: notifyAll(observers.map((each) => each.budgetRefused)),
    callRejected: notifyAll(observers.map((each) => each.callRejected)),
    callAdmitted: notifyAll(observers.map((each) => each.callAdmitted)),
    attemptEnded: notifyAll(observers.map((each) => each.attemptEnded)),
    callSettled: notifyAll(observers.map((each) => each.callSettled)),
    priceMismatched: notifyAll(observers.map((each) => each.priceMismatched)),
    batchCommitted: notifyAll(observers.map((each) => each.batchCommitted)),
    streamBegan: notifyAll(observers.map((each) => each.streamBegan)),
    streamWritten: notifyAll(observers.map((each) => each.streamWritten)),
    streamEnded: notifyAll(observers.map((each) => each.streamEnded)),
  };

  function notifyAll<Event>(
    maybe: readonly (Listener<Event> | undefined)[],
  ): Listener<Event> | undefined {
    const listeners = maybe.filter((listener) => listener !== undefined);
    if (listeners.length === 0) return undefined;
    let isReported = false;
    return (event) => {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          // A line per call would fill the log.
          if (!isReported) onError(error);
          isReported = true;
        }
      }
    };
  }
}
