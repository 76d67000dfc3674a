export interface WatchedCall {
  readonly final: Promise<unknown>;
  readonly isDetached: () => boolean;
}

export interface CallFollower {
  left(): void;
  ended(): void;
}

/** Between threads of one process only; processes know nothing of each other's callers. */
export interface CallEvents {
  follow(callId: string, follower: CallFollower): { unfollow(): void };
  provide(find: (callId: string) => WatchedCall | undefined): void;
}

export const noCallEvents: CallEvents = {
  follow: () => ({ unfollow: () => undefined }),
  provide: () => undefined,
};
