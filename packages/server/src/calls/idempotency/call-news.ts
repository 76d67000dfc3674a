export interface AskedCall {
  readonly final: Promise<unknown>;
  readonly isLeft: () => boolean;
}

export interface CallFollower {
  left(): void;
  ended(): void;
}

/** Between threads of one process only; processes know nothing of each other's callers. */
export interface CallNews {
  follow(callId: string, follower: CallFollower): { forget(): void };
  tell(find: (callId: string) => AskedCall | undefined): void;
}

export const noNews: CallNews = {
  follow: () => ({ forget: () => undefined }),
  tell: () => undefined,
};
