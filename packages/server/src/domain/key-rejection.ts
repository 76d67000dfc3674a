/**
 * Why the gateway rejects a key. Only operators see the reason: callers get one response for all,
 * so a guess returns nothing about the keys that exist.
 */
export type KeyRejectionReason =
  | 'no-header'
  | 'wrong-scheme'
  | 'ingress-off'
  | 'two-keys'
  | 'checksum'
  | 'unknown'
  | 'disabled'
  | 'ended'
  | 'run';

/** A rejected key; an existing one has its id and its app, as the operator knows them. */
export interface KeyRejection {
  readonly reason: KeyRejectionReason;
  readonly keyId?: string;
  readonly app?: string;
}
