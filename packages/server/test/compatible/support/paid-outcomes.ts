import { type Orders, twentyWords } from '../../streams/support/told.ts';
import type { PaidRoute, RouteAmounts } from './paid-routes.ts';

/** How a call is made, in one cell of the matrix. */
interface Cell {
  readonly route: PaidRoute;
  readonly isStream: boolean;
  readonly hasKey: boolean;
}

/** A way in which a call ends, and the expected ledger entries. */
export interface PaidOutcome {
  readonly prompt: (isStream: boolean) => string;
  readonly maxTokens?: number;
  /** When its caller disconnects. By default it reads to the end. */
  readonly leaves?: 'within' | 'at the first event';
  /** The code in records. */
  readonly code: string;
  readonly basis: 'exact' | 'estimated' | 'free';
  /** Undefined: the caller receives 200. */
  readonly fails?: 'before' | 'within';
  readonly ends: keyof PaidRoute['last'];
  budget(amounts: RouteAmounts, cell: Cell): bigint;
  wallet(amounts: RouteAmounts, cell: Cell): bigint;
  /** The routes on which it can happen. */
  readonly isOn?: (cell: Omit<Cell, 'hasKey'>) => boolean;
}

const text = twentyWords;
const tokens = 20;
const told = (orders: Orders) => JSON.stringify(orders);
const whole = told({ text });
const slow = told({ text, stream: { gapMs: 100 } });
const uncounted = told({ text, states: 'absent' });
const writes = ({ route }: { readonly route: PaidRoute }) => route.canStream;
const bytesOf = ({ route }: Cell) => (route.canStream ? Buffer.byteLength(text) : 0);
const exact = (amounts: RouteAmounts) => amounts.exact(tokens);
const nothing = () => 0n;
const free = { basis: 'free', fails: 'before', ends: 'error' } as const;

export const outcomes: Readonly<Record<string, PaidOutcome>> = {
  answered: {
    ...{ prompt: () => whole, code: 'OK', basis: 'exact', ends: 'stop' },
    ...{ budget: exact, wallet: exact },
  },
  truncated: {
    ...{ prompt: () => whole, maxTokens: 16, code: 'OK', basis: 'exact', ends: 'length' },
    budget: (amounts) => amounts.exact(16),
    wallet: (amounts) => amounts.exact(16),
    isOn: writes,
  },
  '429': {
    ...{ prompt: () => 'status 429', code: 'THROTTLED', ...free },
    ...{ budget: nothing, wallet: nothing },
  },
  '500': {
    ...{ prompt: () => 'status 500', code: 'SERVER', ...free },
    ...{ budget: nothing, wallet: nothing },
  },
  'no counts': {
    ...{ prompt: () => uncounted, code: 'OK', basis: 'estimated', ends: 'stop' },
    budget: ({ most }) => most,
    wallet: (amounts, cell) => amounts.bytes(bytesOf(cell)),
  },
  'breaks off': {
    prompt: (isStream) =>
      isStream
        ? told({ text, stream: { stop: { how: 'break', after: 5 } } })
        : told({ text, fault: 'reset' }),
    ...{ code: 'SERVER', basis: 'estimated', fails: 'within', ends: 'error' },
    // A whole response has delivered nothing, so the call is attempted 3 times.
    budget: ({ most, stated }, { isStream, route }) =>
      isStream ? (route.statesFirst === true ? stated : most) : most * 3n,
    wallet: nothing,
  },
  'its caller leaves': {
    prompt: (isStream) => (isStream ? slow : told({ text, delayMs: 5_000 })),
    ...{ leaves: 'within', code: 'ABORTED', basis: 'exact', ends: 'stop' },
    budget: exact,
    // A partly delivered response is paid. Otherwise only a collectable response is, and embeddings
    // are not stored.
    wallet: (amounts, { isStream, hasKey, route }) =>
      isStream || (hasKey && route.canStream) ? exact(amounts) : 0n,
  },
  'its caller leaves at the first event': {
    prompt: () => slow,
    ...{ leaves: 'at the first event', code: 'ABORTED', basis: 'exact', ends: 'stop' },
    ...{ budget: exact, wallet: exact },
    isOn: ({ isStream }) => isStream,
  },
};
