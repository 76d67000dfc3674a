import fc from 'fast-check';

/** The wait that a server requests: its text and its meaning. */
export interface RetryAfter {
  readonly header: string;
  /** From the response on, or at a time; without either the header is invalid. */
  readonly afterMs?: number;
  readonly atMs?: number;
}

/** A server's behavior for one attempt. All times are in milliseconds. */
export interface ServerTurn {
  /** Until the headers, or until the connection is rejected. */
  readonly headMs: number;
  readonly head: 'answers' | 'refuses' | 'hangs';
  /** Whether the fetch ignores its signal. */
  readonly isDeaf: boolean;
  readonly status: number;
  readonly body: BodyKind;
  readonly code: string;
  readonly chunks: number;
  /** Between chunks. */
  readonly chunkMs: number;
  readonly end: 'complete' | 'reset' | 'stall';
  readonly retryAfter: RetryAfter | undefined;
  readonly shouldRetry: 'true' | 'false' | undefined;
}

/** The content of a body. */
export type BodyKind = 'answer' | 'api-error' | 'no-code' | 'message' | 'limit' | 'html' | 'empty';

/** A call and its server's script; the last of the turns repeats. */
export interface Script {
  readonly turns: readonly ServerTurn[];
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** When the caller aborts, if it does. */
  readonly abortMs: number | undefined;
  /** The jitter, draw by draw, in eighths to keep all sums exact. */
  readonly eighths: readonly number[];
}

/** The virtual time at the start of a script. */
export const epochMs = Date.UTC(2026, 10, 21, 8);

const statuses = [
  200, 200, 200, 201, 301, 302, 307, 400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 429,
  429, 431, 499, 500, 500, 501, 502, 502, 503, 503, 503, 504, 504, 505, 529,
];
const codes = [
  'INVALID',
  'BUDGET_EXCEEDED',
  'INSUFFICIENT_CREDITS',
  'THROTTLED',
  'INTERNAL',
  'WALLET_BUSY',
  'SERVER',
  'BAD_OUTPUT',
  'TIMEOUT',
  'NOVELTY',
];
const bodies: readonly BodyKind[] = [
  'answer',
  'answer',
  'answer',
  'api-error',
  'api-error',
  'no-code',
  'message',
  'limit',
  'html',
  'empty',
];

const seconds = fc
  .constantFrom('0', '1', '2', '7', '19', '20', '21', '86400', '0.25', '1.5', ' 3 ')
  .map((header): RetryAfter => ({ header, afterMs: Number(header) * 1_000 }));
const dates = fc
  .record({ offsetS: fc.integer({ min: -50, max: 50 }), form: fc.constantFrom(0, 1, 2) })
  .map(({ offsetS, form }): RetryAfter => {
    const atMs = epochMs + offsetS * 1_000;
    return { header: dateForms[form]?.(new Date(atMs)) ?? '', atMs };
  });
const noise = fc
  .constantFrom('', '-1', 'soon', 'NaN', '1e3', '1, 2', 'Sat never')
  .map((header): RetryAfter => ({ header }));

/** The three forms of HTTP: IMF-fixdate, RFC 850 and asctime. */
const dateForms: readonly ((date: Date) => string)[] = [
  (date) => date.toUTCString(),
  (date) => {
    const [, day, month, year, time] = date.toUTCString().split(/[ ,]+/);
    return `Saturday, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
  },
  (date) => {
    const [weekday, day, month, year, time] = date.toUTCString().split(/[ ,]+/);
    return `${weekday} ${month} ${day?.replace(/^0/, ' ')} ${time} ${year}`;
  },
];

const serverTurn: fc.Arbitrary<ServerTurn> = fc.record({
  headMs: fc.constantFrom(0, 0, 1, 50, 250, 500, 999, 3_000),
  head: fc.constantFrom('answers', 'answers', 'answers', 'answers', 'answers', 'refuses', 'hangs'),
  isDeaf: fc.boolean(),
  status: fc.constantFrom(...statuses),
  body: fc.constantFrom(...bodies),
  code: fc.constantFrom(...codes),
  chunks: fc.integer({ min: 1, max: 12 }),
  chunkMs: fc.constantFrom(0, 0, 0, 1, 100, 250, 1_000),
  end: fc.constantFrom('complete', 'complete', 'complete', 'complete', 'reset', 'stall'),
  retryAfter: fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, seconds, dates, noise),
  shouldRetry: fc.constantFrom(undefined, undefined, undefined, undefined, 'true', 'false'),
});

export const scripts: fc.Arbitrary<Script> = fc.record({
  turns: fc.array(serverTurn, { minLength: 1, maxLength: 6 }),
  timeoutMs: fc.constantFrom(1, 250, 500, 1_000, 1_500, 5_000, 20_000, 30_000, 120_000),
  maxAttempts: fc.constantFrom(1, 2, 3, 3, 3, 6, 9),
  abortMs: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 4 },
    fc.constantFrom(1, 50, 250, 500, 777, 1_000, 3_000, 10_000),
  ),
  eighths: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 9, maxLength: 9 }),
});
