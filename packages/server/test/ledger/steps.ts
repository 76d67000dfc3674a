import fc from 'fast-check';
import type { Settle } from '../../src/books/operations.ts';
import type { Tokens } from '../../src/books/rows.ts';
import type { ScopeMode } from '../../src/books/scope.ts';

/** The users of the ledger: an app with only a budget, and an app that meters credits. */
export const apps = ['search', 'tutor'] as const;
export const users = ['ada', 'bob'] as const;
export const instances = ['alpha', 'beta'] as const;
/**
 * Budgets other than daily budgets: of both apps, of an app, and of a run without a calendar end.
 */
export const scopeNames = ['group:a@b', 'app:search', 'run:tutor:r'] as const;

/** A step of a run. Calls are named by how long ago they were made, so runs shrink. */
export type Step =
  | { readonly kind: 'batch'; readonly instanceId: InstanceId; readonly wishes: readonly Wish[] }
  | { readonly kind: 'clock'; readonly move: (typeof moves)[number] }
  | { readonly kind: 'cap'; readonly app: (typeof apps)[number]; readonly cap: bigint | undefined }
  | {
      readonly kind: 'scope';
      readonly scope: (typeof scopeNames)[number];
      readonly cap: bigint;
      readonly mode: ScopeMode;
    }
  | { readonly kind: 'seen'; readonly instanceId: InstanceId };

/** A process. Each has its own queue, so a batch belongs to one instance. */
export type InstanceId = (typeof instances)[number];

/** A planned operation, before the existing calls are known. */
export type Wish =
  | ReserveWish
  | SettleWish
  | { readonly kind: 'extend'; readonly call: Call; readonly by: number; readonly amount: bigint }
  | { readonly kind: 'expire'; readonly call: Call }
  | { readonly kind: 'collect'; readonly call: Call; readonly isUnreadable: boolean }
  | { readonly kind: 'release'; readonly call: Call }
  | { readonly kind: 'correct'; readonly call: Call; readonly cost: bigint }
  | RepriceWish
  | TopUpWish
  | { readonly kind: 'again'; readonly ago: number }
  | { readonly kind: 'twisted'; readonly ago: number; readonly twist: (typeof twists)[number] };

/** The `ago`-th last of the calls that hold money, or of all calls. */
export interface Call {
  readonly ago: number;
  readonly isOpen: boolean;
}

export interface ReserveWish {
  readonly kind: 'reserve';
  readonly app: (typeof apps)[number];
  readonly user: (typeof users)[number] | undefined;
  readonly amount: bigint;
  readonly price: 'known' | 'dearest' | 'none';
  readonly model: string;
  readonly granted: bigint;
  readonly key: string | undefined;
  readonly fingerprint: string;
  /** Whether it ends the call with a reservation under its key, if that call is dead. */
  readonly takesOver: boolean;
  /** The budgets that it claims. Those of other apps are ignored. */
  readonly scopes: readonly (typeof scopeNames)[number][];
  /** Whether it uses the definitions before the last change. */
  readonly isOutdated: boolean;
  /** The part that a restored store has closed. */
  readonly closed: 'none' | 'scopes' | 'wallet';
}

export interface SettleWish {
  readonly kind: 'settle';
  readonly call: Call;
  /** True for a call that was never reserved. */
  readonly isIndeterminate: boolean;
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly walletCost: bigint;
  readonly code: string;
  readonly outcome: Settle['outcome'];
  /** Whether its result waits for a retry. */
  readonly isUnclaimed: boolean;
  readonly tokens: Tokens;
  /** Whether another model answered than it was admitted with. */
  readonly isAnsweredByOther: boolean;
  /** None, or several: then they define the call's cost. */
  readonly attempts: readonly AttemptWish[];
}

export interface AttemptWish {
  readonly cost: bigint;
  readonly model: string;
  readonly isEstimated: boolean;
  readonly isCounted: boolean;
  readonly tokens: Tokens;
}

export interface RepriceWish {
  readonly kind: 'reprice';
  readonly call: Call;
  readonly cost: bigint;
  readonly estimated: bigint;
  /** False if the record was changed after this operation read it. */
  readonly isFresh: boolean;
}

export interface TopUpWish {
  readonly kind: 'top-up';
  readonly user: (typeof users)[number];
  readonly amount: bigint;
  readonly reference: number;
}

const moves = ['tick', 'pause', 'hour', 'day', 'to-midnight', 'to-month-end', 'back'] as const;
const twists = ['money', 'model', 'end', 'moment', 'day'] as const;

const call: fc.Arbitrary<Call> = record({
  ago: fc.nat(12),
  isOpen: weighted([6, true], [1, false]),
});

// Small amounts often equal limits, reservations and wallets exactly.
const amount = fc.bigInt(0n, 40n);
const cost = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt(0n, 40n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 90n) },
);

const reserve: fc.Arbitrary<ReserveWish> = record({
  kind: fc.constant('reserve'),
  app: fc.constantFrom(...apps),
  user: weighted([3, 'ada'], [2, 'bob'], [1, undefined]),
  amount,
  price: weighted([7, 'known'], [2, 'dearest'], [1, 'none']),
  model: weighted([4, 'sim-echo'], [1, 'other']),
  granted: weighted([4, 60n], [1, 30n], [1, 0n]),
  key: weighted([4, undefined], [3, 'key-a'], [1, 'key-b']),
  fingerprint: weighted([7, 'print-a'], [1, 'print-b']),
  takesOver: weighted([3, true], [1, false]),
  scopes: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray([...scopeNames]) },
  ),
  isOutdated: weighted([12, false], [1, true]),
  closed: weighted([20, 'none'], [1, 'scopes'], [1, 'wallet']),
});

const tokens: fc.Arbitrary<Tokens> = record({
  inputTokens: fc.nat(9),
  cachedInputTokens: fc.nat(1),
  cacheWriteInputTokens: fc.nat(1),
  outputTokens: fc.nat(9),
  reasoningTokens: fc.nat(1),
  cacheWrite1hInputTokens: weighted([2, undefined], [1, 0], [1, 1]),
});

const attempt: fc.Arbitrary<AttemptWish> = record({
  cost: fc.bigInt(0n, 30n),
  model: weighted([2, 'sim-echo'], [1, 'sim-second']),
  isEstimated: weighted([2, false], [1, true]),
  isCounted: weighted([3, true], [1, false]),
  tokens,
});

const settle: fc.Arbitrary<SettleWish> = record({
  kind: fc.constant('settle'),
  call,
  isIndeterminate: weighted([24, false], [1, true]),
  cost,
  estimated: weighted([3, 0n], [1, 7n], [1, 90n]),
  walletCost: weighted([1, 0n], [1, 11n], [3, 90n]),
  code: fc.constantFrom('OK', 'OK', 'BAD_OUTPUT', 'SERVER'),
  outcome: fc.constantFrom('answered', 'answered', 'failed', 'failed', 'unstored', 'forgotten'),
  isUnclaimed: weighted([2, false], [1, true]),
  tokens,
  isAnsweredByOther: weighted([4, false], [1, true]),
  attempts: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(attempt, { minLength: 2, maxLength: 3 }) },
  ),
});

const topUp: fc.Arbitrary<TopUpWish> = record({
  kind: fc.constant('top-up'),
  user: fc.constantFrom(...users),
  amount: fc.bigInt(-40n, 60n),
  reference: fc.nat(40),
});

const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 10, arbitrary: reserve },
  { weight: 8, arbitrary: settle },
  {
    weight: 3,
    arbitrary: record({
      kind: fc.constant('extend' as const),
      call,
      by: fc.integer({ min: 0, max: 1 }),
      amount,
    }),
  },
  { weight: 3, arbitrary: record({ kind: fc.constant('expire' as const), call }) },
  {
    weight: 3,
    arbitrary: record({
      kind: fc.constant('collect' as const),
      call: record({ ago: fc.nat(5), isOpen: fc.constant(false) }),
      isUnreadable: weighted([5, false], [1, true]),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      kind: fc.constant('release' as const),
      call: record({ ago: fc.nat(12), isOpen: fc.constant(false) }),
    }),
  },
  { weight: 2, arbitrary: record({ kind: fc.constant('correct' as const), call, cost }) },
  {
    weight: 2,
    arbitrary: record({
      kind: fc.constant('reprice' as const),
      call: record({ ago: fc.nat(12), isOpen: fc.constant(false) }),
      cost,
      estimated: weighted([3, 0n], [1, 7n]),
      isFresh: weighted([6, true], [1, false]),
    }),
  },
  { weight: 2, arbitrary: topUp },
  {
    weight: 3,
    arbitrary: record({ kind: fc.constant('again' as const), ago: fc.nat(12) }),
  },
  {
    weight: 1,
    arbitrary: record({
      kind: fc.constant('twisted' as const),
      ago: fc.nat(12),
      twist: fc.constantFrom(...twists),
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: record({
      kind: fc.constant('batch' as const),
      instanceId: fc.constantFrom(...instances),
      wishes: fc.array(wish, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      kind: fc.constant('clock' as const),
      move: fc.constantFrom(...moves),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      kind: fc.constant('cap' as const),
      app: fc.constantFrom(...apps),
      cap: weighted([2, 100n], [2, 40n], [1, 0n], [2, undefined], [1, 250n]),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      kind: fc.constant('scope' as const),
      scope: fc.constantFrom(...scopeNames),
      cap: weighted([2, 120n], [1, 60n], [1, 0n]),
      mode: weighted<ScopeMode>([2, 'enforce'], [1, 'shadow']),
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      kind: fc.constant('seen' as const),
      instanceId: fc.constantFrom(...instances),
    }),
  },
);

/** A run of at most this many steps. */
export function runOf(stepsMax: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(step, { minLength: 1, maxLength: stepsMax, size: 'max' });
}

/** A record like those of the program: fast-check makes some without a prototype. */
function record<T extends object>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) {
  return fc.record(model, { noNullPrototype: true });
}

function weighted<const T>(...choices: readonly (readonly [number, T])[]): fc.Arbitrary<T> {
  const arbitraries = choices.map(([weight, value]) => ({
    weight,
    arbitrary: fc.constant(value),
  }));
  return fc.oneof(...arbitraries);
}
