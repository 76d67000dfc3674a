import type { ScopeClaim } from '../../src/books/claims.ts';
import type { Operation, Reprice, Reserve, Settle } from '../../src/books/operations.ts';
import type { Attempt, Basis, CallFacts } from '../../src/books/rows.ts';
import { utcDayOf, utcMonthOf } from '../../src/lib/clock.ts';
import { type Operations, operationsOf } from '../conformance/operations.ts';
import type {
  AttemptWish,
  Call,
  InstanceId,
  RepriceWish,
  ReserveWish,
  SettleWish,
  TopUpWish,
  Wish,
} from './steps.ts';

/** Turns wishes into operations, from the existing calls and the earlier operations. */
export interface Wishes {
  /** The operation of a wish; undefined if nothing matches it. */
  grant(wish: Wish, moment: Moment): Operation | undefined;
}

/** Time and process of an operation, and the calls that hold money then. */
export interface Moment {
  readonly now: number;
  readonly instanceId: InstanceId;
  readonly open: readonly CallFacts[];
  /** The booked cost of a call; undefined if it has not ended. */
  readonly costOf: (callId: string) => bigint | undefined;
  readonly attemptsOf: (callId: string) => readonly Attempt[];
  readonly budgets: Budgets;
}

/** The current definitions of budgets. */
export interface Budgets {
  readonly revision: bigint;
  readonly caps: ReadonlyMap<string, Pick<ScopeClaim, 'cap' | 'mode'>>;
}

export function createWishes(): Wishes {
  const calls: CallFacts[] = [];
  const operations: Operation[] = [];
  return {
    grant(wish, moment) {
      const operation = granted(wish, moment);
      if (operation !== undefined) operations.push(operation);
      return operation;
    },
  };

  function granted(wish: Wish, moment: Moment): Operation | undefined {
    const { now, open } = moment;
    switch (wish.kind) {
      case 'reserve':
        return reserve(wish, moment);
      case 'top-up':
        return topUp(wish, now);
      case 'again':
        return again(wish.ago, moment);
      case 'twisted':
        return twisted(wish, moment);
      case 'settle':
        return settle(
          wish,
          now,
          wish.isIndeterminate ? unknownCall(wish, now) : pick(wish.call, open),
        );
      case 'reprice':
        return reprice(wish, pick(wish.call, open), moment);
      default:
        return onCall(wish, now, pick(wish.call, open));
    }
  }

  function pick({ ago, isOpen }: Call, open: readonly CallFacts[]): CallFacts | undefined {
    const from = isOpen && open.length > 0 ? open : calls;
    return from.at(-1 - (ago % Math.max(1, from.length)));
  }

  function nextCallId() {
    return `call-${String(calls.length).padStart(4, '0')}`;
  }

  function reserve(wish: ReserveWish, { now, instanceId, budgets, open }: Moment): Reserve {
    const { app, user, key, fingerprint, price, model } = wish;
    const isPriced = price !== 'none';
    const userId = app === 'tutor' ? (user ?? 'ada') : user;
    const granted = app === 'tutor' ? wish.granted : undefined;
    const callId = nextCallId();
    const operation = operationsOf({ app, userId, granted, now }).reserve(
      callId,
      isPriced ? wish.amount : 0n,
      {
        fingerprint,
        instanceId,
        ...(key === undefined ? {} : { key }),
        ...(isPriced ? {} : { isUnpriced: true as const }),
        scopes: claimsOf(wish, budgets, now),
        revision: budgets.revision - (wish.isOutdated ? 1n : 0n),
        facts: {
          ...{ model, usageModel: model },
          ...(price === 'dearest' ? { priceVersion: 'dearest-1' } : {}),
        },
      },
    );
    calls.push(operation.facts);
    const { wallet } = operation;
    const ends = wish.takesOver ? endsOf(operation, open) : undefined;
    const reservation = ends === undefined ? operation : { ...operation, ends };
    return wallet === undefined || wish.closed !== 'wallet'
      ? reservation
      : { ...reservation, wallet: { ...wallet, closedAt: restoredAt } };
  }

  /** A call without a known reservation, for one of two reasons that look the same. */
  function unknownCall({ call }: SettleWish, now: number): CallFacts {
    const isMetered = call.ago % 2 === 0;
    const facts = isMetered
      ? operationsOf({ app: 'tutor', userId: 'ada', granted: 60n, now }).facts(
          nextCallId(),
          'key-a',
        )
      : operationsOf({ app: 'search', userId: undefined, granted: undefined, now }).facts(
          nextCallId(),
        );
    calls.push(facts);
    return facts;
  }

  function again(ago: number, moment: Moment): Operation | undefined {
    const own = operations.filter((operation) => isRepeatableBy(operation, moment.instanceId));
    const before = own.at(-1 - ago);
    return before === undefined ? undefined : atMoment(before, moment.now);
  }

  function twisted(
    { ago, twist }: Extract<Wish, { kind: 'twisted' }>,
    { now, instanceId }: Moment,
  ): Operation | undefined {
    const own = operations.filter((operation) => isRepeatableBy(operation, instanceId));
    const before = own.filter(({ kind }) => kind === 'reserve' || kind === 'settle').at(-1 - ago);
    if (before?.kind === 'reserve') return atMoment(twistedReserve(before, twist), now);
    if (before?.kind === 'settle') return twistedSettle(before, twist);
    return undefined;
  }
}

/** Only its own process repeats a reservation. Any process repeats other operations. */
function isRepeatableBy(operation: Operation, instanceId: InstanceId): boolean {
  return operation.kind !== 'reserve' || operation.instanceId === instanceId;
}

/** The last call that holds money under its key. */
function endsOf({ facts, now }: Reserve, open: readonly CallFacts[]): Reserve['ends'] {
  const { app, keyHash } = facts;
  const last = open.findLast((call) => call.app === app && call.keyHash === keyHash);
  if (keyHash === undefined || last === undefined) return undefined;
  const { callId, day, userId, month } = last;
  return { callId, app, day, userId, month, keyHash, now };
}

const restoredAt = Date.UTC(2026, 10, 30);

/** A daily budget, a monthly one, and one without a calendar end. */
function claimsOf({ app, scopes, closed }: ReserveWish, { caps }: Budgets, now: number) {
  const known = { cap: 100n, mode: 'enforce' } as const;
  return scopes.flatMap((scope): ScopeClaim[] => {
    const closedAt = closed === 'scopes' ? { closedAt: restoredAt } : {};
    const claim = { scope, ...(caps.get(scope) ?? known), ...closedAt };
    if (scope === 'group:a@b') return [{ ...claim, period: utcDayOf(now) }];
    if (scope === 'app:search' && app === 'search') return [{ ...claim, period: utcMonthOf(now) }];
    return scope === 'run:tutor:r' && app === 'tutor' ? [{ ...claim, period: 'run' }] : [];
  });
}

/** The same operation at another time, which is not one of its arguments. */
function atMoment(operation: Operation, now: number): Operation {
  return 'now' in operation ? { ...operation, now } : operation;
}

function onCall(
  wish: Extract<Wish, { kind: 'extend' | 'expire' | 'correct' | 'collect' | 'release' }>,
  now: number,
  facts: CallFacts | undefined,
): Operation | undefined {
  if (facts === undefined) return undefined;
  const { callId, app, day, userId, month, keyHash } = facts;
  switch (wish.kind) {
    case 'extend':
      return { kind: 'extend', callId, app, day, extension: 1 + wish.by, amount: wish.amount };
    case 'expire':
      return { kind: 'expire', callId, app, day, userId, month, keyHash, now };
    case 'collect': {
      if (keyHash === undefined) return undefined;
      const ids = { callId, app, day, userId, month, keyHash, claimedBy: `retry of ${callId}` };
      return { kind: 'collect', ...ids, now, ...(wish.isUnreadable ? { isUnreadable: true } : {}) };
    }
    case 'release':
      if (userId === undefined || month === undefined) return undefined;
      return { kind: 'release', callId, app, day, userId, month, now };
    case 'correct':
      return { kind: 'correct', callId, app, day, userId, month, keyHash, cost: wish.cost };
  }
}

function reprice(
  { cost, estimated, isFresh }: RepriceWish,
  facts: CallFacts | undefined,
  { costOf, attemptsOf }: Moment,
): Reprice | undefined {
  const known = facts && costOf(facts.callId);
  if (facts === undefined || known === undefined) return undefined;
  const { callId, app, day } = facts;
  const priceVersion = 'sim-echo@2';
  const costBefore = isFresh ? known : known + 1n;
  const rows = attemptsOf(callId);
  if (rows.length === 0) {
    const amounts = { cost, estimated: least(cost, estimated), costBefore };
    return { kind: 'reprice', callId, app, day, priceVersion, ...amounts };
  }
  // Each has another cost now. Attempts without counts stay estimates.
  const attempts = rows.map(({ n }) => ({ n, cost: cost + BigInt(n) }));
  const estimates = attempts.filter((_, index) => rows[index]?.isCounted === false);
  const sums = { cost: sum(attempts), estimated: sum(estimates) };
  return { kind: 'reprice', callId, app, day, priceVersion, ...sums, costBefore, attempts };
}

function settle(wish: SettleWish, now: number, facts: CallFacts | undefined): Settle | undefined {
  if (facts === undefined) return undefined;
  const { code, tokens, outcome } = wish;
  const several = wish.attempts.map((attempt) => severalOf(attempt, facts));
  const isFree = facts.priceVersion === undefined;
  const wished = isFree ? 0n : wish.cost;
  const cost = several.length > 0 ? sum(several) : wished;
  const estimates = several.filter(({ basis }) => basis === 'estimated');
  const estimated = several.length > 0 ? sum(estimates) : least(cost, wish.estimated);
  const operation = operationsFor(facts, now).settle(facts.callId, cost, {
    code,
    tokens,
    outcome,
    estimated,
    basis: basisOf(cost, estimated),
    walletCost: facts.month === undefined ? 0n : least(cost, wish.walletCost),
    ...(several.length > 0 ? { several } : {}),
    facts,
  });
  const isStored = outcome === 'answered' && facts.keyHash !== undefined;
  const body = `${facts.callId} at ${now}`;
  const result = isStored ? { dialect: 'gateway', encoderVersion: 1, body } : undefined;
  const answeredBy = wish.isAnsweredByOther && !isFree ? other : undefined;
  const isUnclaimed = wish.isUnclaimed && outcome === 'answered' ? true : undefined;
  return { ...withReasons(operation), result, answeredBy, isUnclaimed };
}

function withReasons({ end, attempts, ...rest }: Settle): Settle {
  const reasonOf = (isEstimate: boolean) => ({
    estimateReason: isEstimate ? 'no-counts' : undefined,
  });
  const own = attempts?.map((row) => ({
    ...{ ...row, ...reasonOf(row.basis === 'estimated') },
    toolUses: row.n % 2 === 0 ? '{"web_search":2}' : undefined,
    tokenParts: row.n % 3 === 0 ? '{"reasoning":2}' : undefined,
  }));
  return { ...rest, end: { ...end, firstMs: 7, ...reasonOf(end.estimated > 0n) }, attempts: own };
}

/** A model that an alias falls back to. */
const other = { usageModel: 'sim-second', priceVersion: 'sim-second@1', platform: 'second' };

function severalOf(wish: AttemptWish, { priceVersion }: CallFacts) {
  const { model, tokens, isCounted } = wish;
  const basis = wish.isEstimated || !isCounted ? ('estimated' as const) : ('exact' as const);
  const cost = priceVersion === undefined ? 0n : wish.cost;
  return { model, usageModel: model, tokens, isCounted, cost, basis };
}

function sum(rows: readonly { readonly cost: bigint }[]): bigint {
  return rows.reduce((total, { cost }) => total + cost, 0n);
}

function operationsFor({ app, userId, month }: CallFacts, now: number): Operations {
  return operationsOf({ app, userId, granted: month === undefined ? undefined : 0n, now });
}

function basisOf(cost: bigint, estimated: bigint): Basis {
  if (cost === 0n) return 'free';
  if (estimated === 0n) return 'exact';
  return estimated === cost ? 'estimated' : 'mixed';
}

function topUp({ user, amount, reference }: TopUpWish, now: number): Operation {
  const operations = operationsOf({ app: 'tutor', userId: user, granted: 60n, now });
  return operations.topUp(amount, `reference-${reference}`);
}

type Twist = Extract<Wish, { kind: 'twisted' }>['twist'];

/** A reservation of the same call with one other argument. */
function twistedReserve(operation: Reserve, twist: Twist): Reserve {
  const { facts, amount } = operation;
  switch (twist) {
    case 'money':
      return { ...operation, amount: amount + 1n };
    case 'moment':
      return { ...operation, facts: { ...facts, startedAt: facts.startedAt + 1 } };
    case 'end':
      return { ...operation, expiresAt: operation.expiresAt + 1 };
    default:
      return { ...operation, facts: twistedFacts(facts, twist) };
  }
}

/** A settlement of the same call with one other argument. */
function twistedSettle(operation: Settle, twist: Twist): Settle {
  const { facts, end } = operation;
  switch (twist) {
    case 'money':
      return {
        ...operation,
        end: { ...end, cost: end.cost + 1n },
        attempts: operation.attempts?.map((row) => (row.n === 1 ? withHigherCost(row) : row)),
      };
    case 'end':
      return { ...operation, end: { ...end, code: 'TRUNCATED' } };
    case 'moment':
      return { ...operation, end: { ...end, endedAt: end.endedAt + 1 } };
    default:
      return { ...operation, facts: twistedFacts(facts, twist) };
  }
}

function withHigherCost(attempt: Attempt): Attempt {
  return { ...attempt, cost: attempt.cost + 1n };
}

function twistedFacts(facts: CallFacts, twist: 'model' | 'day'): CallFacts {
  if (twist === 'model') return { ...facts, model: `not-${facts.model}` };
  return { ...facts, day: '2026-12-24' };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
