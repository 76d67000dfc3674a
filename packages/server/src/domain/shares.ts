/** Each app has a fair share. ADR 0030, 0109. */
export interface Shares {
  /** Takes nothing; a full app counts as one that wants more. */
  isFull(app: string): boolean;
  /** Call only after `isFull` returned false. False where another thread took the last one. */
  take(app: string): boolean;
  leave(app: string): void;
}

export type OpenShares = (max: number) => Shares;
