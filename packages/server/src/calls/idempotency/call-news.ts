export interface AskedCall {
  /** Ends when it is settled. */
  readonly final: Promise<unknown>;
  readonly isLeft: () => boolean;
}

/** Waits for another thread's call. */
export interface CallFollower {
  left(): void;
  ended(): void;
}

/** Between threads of one process only; processes know nothing of each other's callers. */
export interface CallNews {
  /** No effect where no thread runs the call. */
  follow(callId: string, follower: CallFollower): { forget(): void };
  /** Starts answering for this thread's calls. */
  tell(find: (callId: string) => AskedCall | undefined): void;
}

/** For a single thread. */
export const noNews: CallNews = {
  follow: () => ({ forget: () => undefined }),
  tell: () => undefined,
};
