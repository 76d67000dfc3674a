const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** When a hook is tried, after the first attempt. Source: Standard Webhooks 1.0.0, "Retries". */
const attemptsAtMs = [
  ...[0, 5 * second, 5 * minute, 30 * minute, 2 * hour],
  ...[5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

/** The share of a wait that chance may take away, so that hooks are not all tried at once. */
const jitter = 0.1;

/** What a receiver may ask for with `retry-after`. */
const retryAfterMaxMs = hour;

/**
 * How long after so many failed attempts the next one is due; undefined where there is none. At
 * least as long as the receiver has asked for, up to an hour.
 */
export function retryDelayMs(failed: number, random: number, retryAfterMs = 0): number | undefined {
  const next = attemptsAtMs[failed];
  const last = attemptsAtMs[failed - 1];
  if (next === undefined || last === undefined) return undefined;
  const delayMs = (next - last) * (1 - jitter * random);
  return Math.round(Math.max(delayMs, Math.min(retryAfterMs, retryAfterMaxMs)));
}
