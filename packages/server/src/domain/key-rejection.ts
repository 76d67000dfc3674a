/**
 * Why the gateway rejects a key. Only operators see the reason: callers get one response for all,
 * so a guess returns nothing about the keys that exist.
 */
export const keyRejectionReasons = [
  ...(['no-header', 'wrong-scheme', 'ingress-off', 'two-keys', 'checksum'] as const),
  ...(['unknown', 'disabled', 'ended', 'run'] as const),
] as const;

/** One of them. */
export type KeyRejectionReason = (typeof keyRejectionReasons)[number];

/** A rejected key; an existing one has its id and its app, as the operator knows them. */
export interface KeyRejection {
  readonly reason: KeyRejectionReason;
  readonly keyId?: string;
  readonly app?: string;
}
