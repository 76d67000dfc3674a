import type { RequestFacts, StreamEnd } from './request-facts.ts';

/**
 * What happens to requests and calls, for those who count, log or trace it. Each event is told
 * once, as plain facts that a listener may keep and must not change. Every listener is optional:
 * `observer.event?.({ … })` makes no facts where nothing listens.
 */
export interface Observer {
  /** A request was answered, or what was malformed was refused. */
  readonly requestAnswered?: Listener<AnsweredRequest> | undefined;
  /** Budgets have no room for a call. */
  readonly budgetRefused?: Listener<RefusedByBudget> | undefined;
  /** A budget or a wallet has rejected a call. */
  readonly callRejected?: Listener<RejectedCall> | undefined;
  /** A call's money is held, and its platform is about to be asked. */
  readonly callAdmitted?: Listener<AdmittedCall> | undefined;
  /** A platform has answered or failed, or did not in time. */
  readonly attemptEnded?: Listener<EndedAttempt> | undefined;
  /** A call was settled, in time or after its caller had gone. */
  readonly callSettled?: Listener<SettledCall> | undefined;
  /** A response has a tier, a number or a cost that its row's price does not have. */
  readonly priceMismatched?: Listener<MismatchedPrice> | undefined;
  /** A transaction of the ledger has ended, whatever it came to. */
  readonly batchCommitted?: Listener<CommittedBatch> | undefined;
  /** The first content of a stream was handed to its caller's socket. */
  readonly streamBegan?: Listener<BegunStream> | undefined;
  /** Content of a stream was handed over, all that came in one turn of the event loop. */
  readonly streamWritten?: Listener<WrittenContent> | undefined;
  /** The last event of a stream was written, or no caller reads it any more. */
  readonly streamEnded?: Listener<EndedStream> | undefined;
}

/** Hears of one kind of event, at once and for as long as it takes: it must not wait or work. */
export type Listener<Event> = (event: Event) => void;

/** A request and its answer. */
export interface AnsweredRequest {
  /** Undefined for malformed HTTP, which is no request: the log counts it by network. */
  readonly requestId: string | undefined;
  readonly method: string;
  /** Of its route, as that has it: `/v1/credits/:userId`; `other` where no route takes it. */
  readonly path: string;
  /** Of few values: `other` where no route takes it. */
  readonly route: string;
  readonly status: number;
  readonly tookMs: number;
  /** The client's network, where it is known. */
  readonly remote: string | undefined;
  /** Which of the gateway's own answers it was; undefined for those of the API. */
  readonly refusal: string | undefined;
  readonly facts: RequestFacts;
}

/** A call for which budgets have no room. */
export interface RefusedByBudget {
  readonly app: string;
  /** Each that refuses, by its scope and its day or month; an app's own day is `app:NAME`. */
  readonly budgets: readonly { readonly scope: string; readonly period: string }[];
  /** The most that the call could cost. */
  readonly neededPicoUsd: bigint;
}

/** A call that was rejected for its money, and the amounts that this was decided on. */
export interface RejectedCall {
  readonly app: string;
  readonly code: string;
  /** The budget with the least left; undefined for a wallet. */
  readonly budget: { readonly scope: string; readonly period: string } | undefined;
  /** Undefined for a wallet, and where only the column ends what can be spent. */
  readonly capPicoUsd: bigint | undefined;
  /** Undefined for a wallet. */
  readonly spentPicoUsd: bigint | undefined;
  readonly heldPicoUsd: bigint;
  readonly leftPicoUsd: bigint;
  readonly neededPicoUsd: bigint;
  readonly isUnpriced: boolean;
}

/** A call whose money is held. */
export interface AdmittedCall {
  readonly callId: string;
  readonly app: string;
  readonly route: string;
  /** As its caller names it. */
  readonly model: string;
  readonly heldPicoUsd: bigint;
  /** Of admission and reservation. */
  readonly reserveMs: number;
}

/** One attempt of a call at its platform. */
export interface EndedAttempt {
  readonly callId: string;
  /** From 1. */
  readonly number: number;
  /** Of few values: `other` for a model that no catalog row names. */
  readonly model: string;
  readonly platform: string;
  /** `answered`, or the code of the failure. */
  readonly outcome: string;
  /** The platform's status, where it failed with one. */
  readonly status: number | undefined;
  /** Why the platform rejects the operator's account, or why its response had no answer in it. */
  readonly account?: string | undefined;
  readonly unusable?: string | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly tookMs: number;
}

/** Tokens of a call; input has both cached kinds in it, output has reasoning. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** A call whose money is booked. */
export interface SettledCall {
  readonly callId: string;
  readonly app: string;
  readonly route: string;
  /** The one that was asked last: of an alias, one of its models. */
  readonly model: string;
  /** Of few values: `other` for a model that no catalog row names. */
  readonly modelLabel: string;
  readonly platform: string;
  /** `OK`, or the code that its caller got. */
  readonly code: string;
  /** The status that its last attempt failed with. */
  readonly platformStatus: number | undefined;
  readonly basis: string;
  /** What its platform states of its last attempt; undefined where that is nothing. */
  readonly tokens: TokenCounts | undefined;
  readonly isUnpriced: boolean;
  /** True when its caller had gone before. */
  readonly isLate: boolean;
  readonly modelMs: number;
  readonly settleMs: number;
}

/** Why the price of a call may be another than its row's; each is one of few values. */
export interface MismatchedPrice {
  readonly platform: string;
  readonly field: string;
  readonly reason: string;
}

/** Operations of the ledger that were one transaction. */
export interface CommittedBatch {
  readonly operations: number;
  /** How long its first operation waited for it to begin. */
  readonly waitMs: number;
  readonly tookMs: number;
}

/** A stream whose caller gets its first content. */
export interface BegunStream {
  readonly route: string;
  /** From the request on. */
  readonly tookMs: number;
}

/** Content on its way to a caller. */
export interface WrittenContent {
  readonly route: string;
  /** From its coming on. */
  readonly delayMs: number;
}

/** A stream that is over. */
export interface EndedStream {
  readonly route: string;
  readonly end: StreamEnd;
  /** How long its platform was held back. */
  readonly pausedMs: number;
}

/**
 * One observer that tells all of these, in their order. One that throws is reported once, hurts
 * neither the others nor what it is told of, and hears of the next event all the same.
 */
export function joinObservers(
  observers: readonly Observer[],
  onError: (error: unknown) => void,
): Observer {
  return {
    requestAnswered: tellAll(observers.map((each) => each.requestAnswered)),
    budgetRefused: tellAll(observers.map((each) => each.budgetRefused)),
    callRejected: tellAll(observers.map((each) => each.callRejected)),
    callAdmitted: tellAll(observers.map((each) => each.callAdmitted)),
    attemptEnded: tellAll(observers.map((each) => each.attemptEnded)),
    callSettled: tellAll(observers.map((each) => each.callSettled)),
    priceMismatched: tellAll(observers.map((each) => each.priceMismatched)),
    batchCommitted: tellAll(observers.map((each) => each.batchCommitted)),
    streamBegan: tellAll(observers.map((each) => each.streamBegan)),
    streamWritten: tellAll(observers.map((each) => each.streamWritten)),
    streamEnded: tellAll(observers.map((each) => each.streamEnded)),
  };

  function tellAll<Event>(
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
          // With every call it would fill the log.
          if (!isReported) onError(error);
          isReported = true;
        }
      }
    };
  }
}
