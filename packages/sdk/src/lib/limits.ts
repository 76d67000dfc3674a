import type { clientLimits } from '@model-gateway/contract';

/**
 * The client's defaults and limits. Repeated here, because the published package has no
 * dependencies; the type makes any difference from the contract a compile error.
 */
export const limits = {
  timeoutMs: 120_000,
  maxAttempts: 3,
  retryAfterMsMax: 20_000,
  backoffBaseMs: 500,
  backoffCapMs: 20_000,
} as const satisfies typeof clientLimits;

/** The default time limit of a call that streams: 300 s at the service, plus overhead. */
export const streamTimeoutMs = 330_000;

/** The default of `runAgent`. */
export const maxTurnsDefault = 10;

/** The 255 characters of a key leave enough for the number of any turn. */
export const baseKeyCharactersMax = 238;
