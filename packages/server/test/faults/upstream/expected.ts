import type { ApiErrorCode } from '@model-gateway/contract';
import type { CallRecord } from '../../../src/books/rows.ts';

/** The expected result of a call: at the client, and in the ledger. */
export interface Expected {
  readonly code: 'OK' | ApiErrorCode;
  /** The result of each attempt. */
  readonly attempts: readonly string[];
  readonly basis: CallRecord['basis'];
  /** How often the maximum cost of the call is booked, as an estimate. */
  readonly estimates: number;
  /** Pico-USD of an estimate by reported counts that exceed the maximum cost. */
  readonly stated?: bigint;
  /** Pico-USD of the answered attempt, by its own counts. */
  readonly exact: bigint;
  /**
   * The wallet's payment: nothing, the cost of the attempt, bytes by three for a response without
   * counts, or the whole reservation.
   */
  readonly wallet: 'nothing' | 'exact' | 'bytes' | 'hold';
  /** Seconds in the header. */
  readonly retryAfter?: string;
  /** The platform's id of the request, which arrived in time. */
  readonly requestId?: string;
}

/** A fault on every attempt, and only on the first. */
export interface Row {
  readonly always: Expected;
  readonly once: Expected;
}

/** 20 input tokens and 10 output tokens. */
const exact = 20n * 150_000n + 10n * 600_000n;

const free = { basis: 'free', estimates: 0, exact: 0n, wallet: 'nothing' } as const;

/** The result without output, and without a stored response for its key. */
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

/** The same for both, without a second attempt. */
export function final(expected: Expected): Row {
  return { always: expected, once: expected };
}

/** Certainly not billed, and attempted again. */
export function retried(code: 'SERVER' | 'THROTTLED', more: Partial<Expected> = {}): Row {
  return {
    always: { ...free, code, attempts: [code, code, code], ...more },
    once: { ...answered, attempts: [code, 'answered'] },
  };
}

/** Certainly not billed, and not attempted again. */
export function refused(code: ApiErrorCode, more: Partial<Expected> = {}): Row {
  return final({ ...free, code, attempts: [code], ...more });
}

const unbooked = { code: 'SERVER', basis: 'estimated', exact: 0n, wallet: 'nothing' } as const;

/** It might have been billed, and is attempted again. Each attempt reserves another maximum. */
export const lost: Row = {
  always: { ...unbooked, attempts: ['SERVER', 'SERVER', 'SERVER'], estimates: 3 },
  once: { ...answered, attempts: ['SERVER', 'answered'], basis: 'mixed', estimates: 1 },
};

/** Not a usable response: it might have been billed, and is not attempted again. */
export const unusable: Row = final({ ...unbooked, attempts: ['SERVER'], estimates: 1 });

/** No response within the time of the call, nor within that of its detached call. */
export const timedOut: Row = final({
  ...{ ...unbooked, code: 'TIMEOUT' },
  ...{ attempts: ['SERVER'], estimates: 1 },
});

/** A response without plausible counts. */
export const uncounted: Row = final({
  ...{ code: 'OK', attempts: ['answered'], basis: 'estimated' },
  ...{ estimates: 1, exact: 0n, wallet: 'bytes' },
});

/** A paid response that does not match the request. */
export const badOutput: Row = final({ ...answered, code: 'BAD_OUTPUT', wallet: 'nothing' });
