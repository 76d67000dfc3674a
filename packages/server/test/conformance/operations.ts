import type { ScopeClaim } from '../../src/books/claims.ts';
import type {
  Correct,
  Expire,
  Extend,
  Reprice,
  Reserve,
  Settle,
  TopUp,
} from '../../src/books/operations.ts';
import type { Attempt, CallEnd, CallFacts, Tokens } from '../../src/books/rows.ts';
import { utcDayOf, utcMonthOf } from '../../src/lib/clock.ts';

/** The default time of an operation: 2026-11-21T12:00:00Z. */
export const noonMs = Date.UTC(2026, 10, 21, 12);

/** The lifetime of an idempotency key. */
export const keyLivesMs = 3_600_000;

/** The lifetime of a reservation. */
export const holdLivesMs = 116_000;

/** A call with one input token and one output token. */
export const oneToken: Tokens = {
  inputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
};

/** The owner of operations. */
export interface Whose {
  readonly app: string;
  /** Undefined for a call without a user. */
  readonly userId: string | undefined;
  /** The grant of the user's month; undefined if the app does not meter credits. */
  readonly granted: bigint | undefined;
  readonly now: number;
}

/** The parts of a reservation that few tests change. */
export interface ReserveOptions {
  readonly key?: string;
  readonly fingerprint?: string;
  readonly instanceId?: string;
  readonly now?: number;
  readonly isUnpriced?: true;
  readonly facts?: Partial<CallFacts>;
  readonly scopes?: readonly ScopeClaim[];
  readonly revision?: bigint;
  /** The dead call, of the same day, whose key it takes over. */
  readonly ends?: string;
}

/** The parts of a settlement that few tests change. */
export interface SettleOptions extends Partial<CallEnd> {
  readonly now?: number;
  readonly walletCost?: bigint;
  readonly key?: string;
  readonly outcome?: Settle['outcome'];
  readonly body?: string;
  readonly facts?: Partial<CallFacts>;
  /** With several attempts: the fields of each that differ from the defaults. */
  readonly several?: readonly Partial<Attempt>[];
}

/** The fields of a call's record about its only attempt. */
export const onlyAttempt =
  '[{"startedAt":1,"tookMs":8,"outcome":"answered","status":200,"costPicoUsd":"0"}]';

/** Makes the operations of one app, user and time, with defaults for omitted fields. */
export type Operations = ReturnType<typeof operationsOf>;

export const search = operationsOf({
  app: 'search',
  userId: undefined,
  granted: undefined,
  now: noonMs,
});

/** Operations of an app that meters credits: its user has a grant of 100. */
export const tutor = operationsOf({ app: 'tutor', userId: 'ada', granted: 100n, now: noonMs });

export function operationsOf(whose: Whose) {
  const { app, userId, granted } = whose;
  return {
    at: (now: number) => operationsOf({ ...whose, now }),
    as: (other: Partial<Whose>) => operationsOf({ ...whose, ...other }),
    facts,
    reserve,
    extend: (callId: string, extension: number, amount: bigint): Extend => {
      const { day } = facts(callId);
      return { kind: 'extend', callId, app, day, extension, amount };
    },
    settle,
    expire(callId: string, key?: string): Expire {
      const { day, month, keyHash } = facts(callId, key);
      return { kind: 'expire', callId, app, day, userId, month, keyHash, now: whose.now };
    },
    correct(callId: string, cost: bigint, key?: string): Correct {
      const { day, month } = facts(callId);
      const keyed = key === undefined ? {} : { keyHash: key };
      return { kind: 'correct', callId, app, day, userId, month, ...keyed, cost };
    },
    reprice(callId: string, from: bigint, to: bigint, estimated = 0n): Reprice {
      const { day } = facts(callId);
      const priced = { priceVersion: 'sim-echo@2', cost: to, estimated, costBefore: from };
      return { kind: 'reprice', callId, app, day, ...priced };
    },
    topUp: (amount: bigint, reference: string): TopUp => ({
      kind: 'top-up',
      app,
      userId: userId ?? 'ada',
      amount,
      reference,
      now: whose.now,
    }),
  };

  function facts(callId: string, key?: string, startedAt = whose.now): CallFacts {
    return {
      callId,
      app,
      day: utcDayOf(startedAt),
      month: granted === undefined ? undefined : utcMonthOf(startedAt),
      userId,
      route: 'chat',
      model: 'sim-echo',
      usageModel: 'sim-echo',
      priceVersion: 'sim-echo@1',
      keyHash: key,
      keyId: 'key_one',
      remote: '192.0.2.0/24',
      trace: '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
      platform: 'sandbox',
      startedAt,
    };
  }

  function reserve(callId: string, amount: bigint, options: ReserveOptions = {}): Reserve {
    const { key, fingerprint = 'print', instanceId = 'alpha', now = whose.now } = options;
    const { ends } = options;
    const unpriced = options.isUnpriced === true ? { priceVersion: undefined } : {};
    return {
      kind: 'reserve',
      facts: { ...facts(callId, key, now), ...unpriced, ...options.facts },
      amount,
      wallet: granted === undefined ? undefined : { granted, picoUsdPerCredit: 1n },
      ...{ scopes: options.scopes ?? [], budgetsRevision: options.revision ?? 0n },
      idempotency:
        key === undefined ? undefined : { keyHash: key, fingerprint, expiresAt: now + keyLivesMs },
      ...(ends === undefined ? {} : { ends: endsOf(ends, key, now) }),
      instanceId,
      expiresAt: now + holdLivesMs,
      now,
    };
  }

  function endsOf(dead: string, key: string | undefined, now: number): Reserve['ends'] {
    const { callId, day, month, keyHash } = facts(dead, key);
    return { callId, app, day, userId, month, keyHash, now };
  }

  function settle(callId: string, cost: bigint, options: SettleOptions = {}): Settle {
    const { key, now = whose.now, walletCost, outcome, ...others } = options;
    const { body, facts: other, several, ...end } = others;
    const known = { ...facts(callId, key), ...other };
    const ending = outcome ?? (key === undefined ? 'forgotten' : 'answered');
    const isKept = ending === 'answered' && key !== undefined;
    return {
      kind: 'settle',
      facts: known,
      end: {
        code: 'OK',
        tokens: oneToken,
        cost,
        estimated: 0n,
        basis: cost === 0n ? 'free' : 'exact',
        attempts: several === undefined ? onlyAttempt : '[]',
        upstreamId: `upstream-${callId}`,
        endedAt: now,
        ...end,
      },
      attempts: several?.map((more, index) => attemptOf(known, index + 1, more)),
      walletCost: walletCost ?? (granted === undefined ? 0n : cost),
      outcome: ending,
      result: isKept
        ? { dialect: 'gateway', encoderVersion: 1, body: body ?? `result of ${callId}` }
        : undefined,
      answerExpiresAt: now + keyLivesMs,
    };
  }
}

/** An attempt of a call, by default without cost. */
export function attemptOf(facts: CallFacts, n: number, more: Partial<Attempt>): Attempt {
  const { callId, model, usageModel, priceVersion, platform, startedAt } = facts;
  return {
    ...{ callId, n, model, usageModel, priceVersion, platform },
    ...{ startedAt: startedAt + n, tookMs: 8 },
    ...{ outcome: 'answered', status: 200, tokens: oneToken, isCounted: true },
    ...{ cost: 0n, basis: 'exact', upstreamId: `upstream-${callId}-${n}` },
    ...more,
  };
}
