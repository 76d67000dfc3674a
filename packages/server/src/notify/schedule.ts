const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** After the first attempt. Source: Standard Webhooks 1.0.0, "Retries". */
const attemptsAtMs = [
  ...[0, 5 * second, 5 * minute, 30 * minute, 2 * hour],
  ...[5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

/** The random part of a wait, which spreads the tries. */
const jitter = 0.1;

/** The highest `retry-after` that counts. */
const retryAfterMaxMs = hour;

/** Undefined after the last attempt. At least `retry-after`, up to an hour. */
export function retryDelayMs(failed: number, random: number, retryAfterMs = 0): number | undefined {
  const next = attemptsAtMs[failed];
  const last = attemptsAtMs[failed - 1];
  if (next === undefined || last === undefined) return undefined;
  const delayMs = (next - last) * (1 - jitter * random);
  return Math.round(Math.max(delayMs, Math.min(retryAfterMs, retryAfterMaxMs)));
}
