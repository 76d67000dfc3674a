const secondsForm = /^\d+(\.\d+)?$/;
const dateForm = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[ ,]/;

/**
 * How long a server asks to wait, in milliseconds, not yet capped; a date that has passed is 0.
 * `undefined` when the header is missing or is neither seconds nor a date: a negative number, too.
 */
export function parseRetryAfterMs(header: string | null, epochMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (secondsForm.test(text)) {
    return Math.min(Math.round(Number(text) * 1_000), Number.MAX_SAFE_INTEGER);
  }

  // `Date.parse` takes "-1" for the year 2001, so only what begins with a weekday is given to it.
  if (!dateForm.test(text)) return undefined;
  // The oldest of HTTP's three date forms has no time zone; all three mean GMT.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - epochMs);
}
