/** Something that all apps share, of which each app has a fair share. ADR 0030, 0109. */
export interface Shares {
  /** Whether the app gets no more now; then it counts as one that wants more. Takes nothing. */
  isFull(app: string): boolean;
  /** Takes one; `isFull` must have just said no. False where another thread took the last one. */
  take(app: string): boolean;
  /** Gives back one that was taken. */
  leave(app: string): void;
}

/** Opens shares of so many, of which no app has any. */
export type OpenShares = (max: number) => Shares;
