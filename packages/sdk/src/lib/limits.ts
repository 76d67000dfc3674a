import type { clientLimits } from '@model-gateway/contract';

/**
 * The client's defaults and caps. Repeated here, because the published package depends on nothing;
 * the type makes any difference from the contract a compile error.
 */
export const limits = {
  timeoutMs: 120_000,
  maxAttempts: 3,
  retryAfterMsMax: 20_000,
  backoffBaseMs: 500,
  backoffCapMs: 20_000,
} as const satisfies typeof clientLimits;

/** The default time for a call that streams: its 300 s at the service, and what surrounds them. */
export const streamTimeoutMs = 330_000;

/** The default of `runAgent`. */
export const maxTurnsDefault = 10;

/** Of the 255 that a key may have, enough are left for the number of any turn. */
export const baseKeyCharactersMax = 238;
