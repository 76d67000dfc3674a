export interface RetryPolicy {
  /** Includes the first attempt. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * Full jitter: `random × min(base × 2^(failedAttempts − 1), cap)`, before attempt `failedAttempts +
 * 1`. Source: "Exponential Backoff And Jitter", AWS Architecture Blog.
 */
export function backoffMs(policy: RetryPolicy, failedAttempts: number, random: number): number {
  return random * Math.min(policy.baseMs * 2 ** (failedAttempts - 1), policy.capMs);
}

/**
 * Seconds or an HTTP date; 0 for a past date, undefined if missing or malformed. RFC 9110, section
 * 10.2.3.
 */
export function parseRetryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
