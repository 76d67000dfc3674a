/** A call of this thread that another one may ask for. */
export interface AskedCall {
  /** Ends when it is settled. */
  readonly final: Promise<unknown>;
  /** Whether its caller waits for it no more. */
  readonly isLeft: () => boolean;
}

/** A request that waits for a call of another thread, and hears of it. */
export interface CallFollower {
  /** Its caller waits for it no more. */
  left(): void;
  /** It is settled. */
  ended(): void;
}

/**
 * What the threads of a process tell each other of calls that a request of one waits for and
 * another one runs. Processes know nothing of each other's callers.
 */
export interface CallNews {
  /** Asks the thread that runs a call, if any does, to tell what becomes of it. */
  follow(callId: string, follower: CallFollower): { forget(): void };
  /** From now on this thread's calls are told of, as `find` finds them. */
  tell(find: (callId: string) => AskedCall | undefined): void;
}

/** That of a process with one thread. */
export const noNews: CallNews = {
  follow: () => ({ forget: () => undefined }),
  tell: () => undefined,
};
