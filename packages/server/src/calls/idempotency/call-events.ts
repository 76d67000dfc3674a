export interface WatchedCall {
  readonly final: Promise<unknown>;
  readonly isDetached: () => boolean;
}

export interface CallFollower {
  left(): void;
  ended(): void;
}

/** Only between threads of one process; other processes' callers are not visible. */
export interface CallEvents {
  follow(callId: string, follower: CallFollower): { unfollow(): void };
  provide(find: (callId: string) => WatchedCall | undefined): void;
}

export const noCallEvents: CallEvents = {
  follow: () => ({ unfollow: () => undefined }),
  provide: () => undefined,
};
