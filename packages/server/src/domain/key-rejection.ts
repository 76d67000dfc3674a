/**
 * Only operators see the reason. Callers get the same response for all, so a guess shows nothing
 * about existing keys.
 */
export const keyRejectionReasons = [
  ...(['no-header', 'wrong-scheme', 'ingress-off', 'two-keys', 'checksum'] as const),
  ...(['unknown', 'disabled', 'ended', 'run'] as const),
] as const;

export type KeyRejectionReason = (typeof keyRejectionReasons)[number];

export interface KeyRejection {
  readonly reason: KeyRejectionReason;
  readonly keyId?: string;
  readonly app?: string;
}
