import type {
  Account,
  BilledCall,
  BookedAttempt,
  BookedCall,
  Books,
  CallResult,
} from '../../src/attack/books/books.ts';

/** The cost of each call, and its maximum cost. */
export const callPicoUsd = 1_000n;

const account = 'crowd';

/** One successful call, in all three books. */
export function soundCall(label: string): Pick<Books, 'billed' | 'booked' | 'callResults'> {
  return { billed: [bill(label)], booked: [booking(label)], callResults: [answer(label)] };
}

export function bill(label: string, change: Partial<BilledCall> = {}): BilledCall {
  return { account, label, requestId: `req_${label}`, picoUsd: callPicoUsd, ...change };
}

export function booking(label: string, change: Partial<BookedCall> = {}): BookedCall {
  const estimatedPicoUsd = 0n;
  const attempts = [attempt(label)];
  const own = { account, callId: `call_${label}`, label, code: 'OK', picoUsd: callPicoUsd };
  return { ...own, estimatedPicoUsd, attempts, ...change };
}

export function attempt(label: string, change: Partial<BookedAttempt> = {}): BookedAttempt {
  const requestId = `req_${label}`;
  return { requestId, picoUsd: callPicoUsd, isEstimated: false, isAnswered: true, ...change };
}

/** A row of a call whose process died: the reservation, as an estimate. */
export function cutBooking(label: string): BookedCall {
  const estimate = { picoUsd: callPicoUsd, estimatedPicoUsd: callPicoUsd, attempts: [] };
  return booking(label, { callId: `call_cut_${label}`, code: 'LOST', ...estimate });
}

/** A caller's result. */
export function answer(
  label: string,
  change: {
    readonly callId?: string;
    readonly picoUsd?: bigint;
    /** For a protocol that does not return the platform's id. */
    readonly requestId?: undefined;
  } = {},
): CallResult {
  const ids = { callId: `call_${label}`, requestId: `req_${label}` };
  return { ...call(label), kind: 'answered', ...ids, picoUsd: callPicoUsd, ...change };
}

/** A rejection in the gateway's words, with its four amounts in USD. */
export function refusal(label: string, [cap, spent, held, needed]: readonly string[]): CallResult {
  const state = `the app has a daily budget of $${cap}, with $${spent} spent and $${held} reserved`;
  const message = `Budget exceeded: ${state} for running calls; this call could cost $${needed}.`;
  return { ...call(label), kind: 'refused', message };
}

export function ended(
  label: string,
  kind: 'left' | 'failed' | 'denied',
  code = 'SERVER',
): CallResult {
  if (kind === 'left') return { ...call(label), kind };
  return { ...call(label), kind, code };
}

function call(label: string) {
  return { account, label, maximumCostPicoUsd: callPicoUsd };
}

/** Books of a budget that ten calls fill, with replacements. */
export function booksOf(change: Partial<Books> = {}, own: Partial<Account> = {}): Books {
  const calls = Array.from({ length: 10 }, (_, index) => soundCall(`crowd/${index}`));
  return {
    accounts: [{ name: account, app: account, capPicoUsd: callPicoUsd * 10n, ...own }],
    billed: calls.flatMap(({ billed }) => billed),
    booked: calls.flatMap(({ booked }) => booked),
    callResults: calls.flatMap(({ callResults }) => callResults),
    crowds: [{ account, fits: 10, admitted: 10 }],
    scopes: [],
    budgets: [],
    corrections: new Map(),
    held: [],
    broken: [],
    ...change,
  };
}

/** The figures of a correct account. */
export const zeros = {
  overspendPicoUsd: 0n,
  falseRefusals: 0,
  doubled: 0,
  lost: 0,
  chargedWithoutResponse: 0,
  falseExact: 0,
  falseBookings: 0,
  heldPicoUsd: 0n,
};

/** Correct books with a replacement for the first call. */
export function withFirst(
  change: Partial<Pick<Books, 'billed' | 'booked' | 'callResults'>>,
): Books {
  const { billed, booked, callResults, ...books } = booksOf();
  const first = { ...soundCall('crowd/0'), ...change };
  return {
    ...books,
    billed: [...first.billed, ...billed.slice(1)],
    booked: [...first.booked, ...booked.slice(1)],
    callResults: [...first.callResults, ...callResults.slice(1)],
  };
}
