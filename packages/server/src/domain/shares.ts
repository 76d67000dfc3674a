/** Each app has a fair share. ADR 0030, 0109. */
export interface Shares {
  /** Takes nothing. A full app counts as waiting for more. */
  isFull(app: string): boolean;
  /** Call only after `isFull` returned false. False if another thread took the last permit. */
  take(app: string): boolean;
  leave(app: string): void;
}

export type OpenShares = (max: number) => Shares;
