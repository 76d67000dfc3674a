import type { ApiErrorCode } from '@model-gateway/contract';
import type { CallRecord } from '../../../src/books/rows.ts';

/** What a call comes to: at the client, and in the ledger. */
export interface Expected {
  readonly code: 'OK' | ApiErrorCode;
  /** What each attempt came to. */
  readonly attempts: readonly string[];
  readonly basis: CallRecord['basis'];
  /** How often the most that the call can cost is booked, as an estimate. */
  readonly estimates: number;
  /** Pico-USD that is booked as an estimate in place of that: more was stated. */
  readonly stated?: bigint;
  /** Pico-USD of the answered attempt, by its own counts. */
  readonly exact: bigint;
  /**
   * What the wallet pays: nothing, what the attempt cost, bytes by three for an answer without
   * counts, or all that it held.
   */
  readonly wallet: 'nothing' | 'exact' | 'bytes' | 'hold';
  /** Seconds in the header. */
  readonly retryAfter?: string;
  /** The platform's id of the request, which came before the time was over. */
  readonly requestId?: string;
}

/** A fault on every attempt, and on the first one alone. */
export interface Row {
  readonly always: Expected;
  readonly once: Expected;
}

/** Twenty tokens of input and ten of output. */
const exact = 20n * 150_000n + 10n * 600_000n;

const free = { basis: 'free', estimates: 0, exact: 0n, wallet: 'nothing' } as const;

/** What it comes to where nothing is written, and no answer is kept for its key. */
export function ofEmbeddings(expected: Expected): Expected {
  const withoutOutput = (amount: bigint) => (amount === 0n ? amount : amount - 10n * 600_000n);
  const { code, stated, wallet } = expected;
  return {
    ...expected,
    exact: withoutOutput(expected.exact),
    ...(stated === undefined ? {} : { stated: withoutOutput(stated) }),
    wallet: code === 'TIMEOUT' ? 'nothing' : wallet,
  };
}

/** Answered, and paid by the platform's counts. */
export const answered: Expected = {
  ...{ code: 'OK', attempts: ['answered'], basis: 'exact' },
  ...{ estimates: 0, exact, wallet: 'exact' },
};

/** The same, whatever comes of further attempts: there are none. */
export function final(expected: Expected): Row {
  return { always: expected, once: expected };
}

/** Surely not billed, and tried again. */
export function retried(code: 'SERVER' | 'THROTTLED', more: Partial<Expected> = {}): Row {
  return {
    always: { ...free, code, attempts: [code, code, code], ...more },
    once: { ...answered, attempts: [code, 'answered'] },
  };
}

/** Surely not billed, and not tried again. */
export function refused(code: ApiErrorCode, more: Partial<Expected> = {}): Row {
  return final({ ...free, code, attempts: [code], ...more });
}

const unbooked = { code: 'SERVER', basis: 'estimated', exact: 0n, wallet: 'nothing' } as const;

/** May have been billed, and is tried again, each time with a further maximum held. */
export const lost: Row = {
  always: { ...unbooked, attempts: ['SERVER', 'SERVER', 'SERVER'], estimates: 3 },
  once: { ...answered, attempts: ['SERVER', 'answered'], basis: 'mixed', estimates: 1 },
};

/** An answer that is none: may have been billed, and is not tried again. */
export const unusable: Row = final({ ...unbooked, attempts: ['SERVER'], estimates: 1 });

/** No answer within the time of the call, nor in that of its drain. */
export const timedOut: Row = final({
  ...{ ...unbooked, code: 'TIMEOUT' },
  ...{ attempts: ['SERVER'], estimates: 1 },
});

/** An answer without counts that can be believed. */
export const uncounted: Row = final({
  ...{ code: 'OK', attempts: ['answered'], basis: 'estimated' },
  ...{ estimates: 1, exact: 0n, wallet: 'bytes' },
});

/** An answer that was paid for, and is not what was asked for. */
export const badOutput: Row = final({ ...answered, code: 'BAD_OUTPUT', wallet: 'nothing' });
