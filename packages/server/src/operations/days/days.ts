import assert from 'node:assert';
import type { CallFacts } from '../../books/rows.ts';
import { noTokens } from '../../books/usage.ts';
import { formatUsd, smaller } from '../../lib/money.ts';
import { createScopes } from '../../registry/scopes.ts';
import { selectBudgets, selectBudgetsRevision } from '../../store/queries/budgets.ts';
import { lostModel, lostRoute } from '../../store/queries/ledger.ts';
import type { AppRow } from '../../store/queries/registry.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditNote } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { DaysClosed } from '../documents/days.ts';
import { recordRestore } from '../restores/restores.ts';
import {
  closesAll,
  closingAction,
  closingSubject,
  type DayClosing,
  openClosings,
  restOf,
} from './plan-closing.ts';

/** Retries after calls took from the remaining budget. */
const triesMax = 5;
/** The sweeper ends an interrupted closing, with the same result. */
const holdMs = 60_000;

/**
 * Like {@link bookLostCalls}. For all apps, today and without an amount, it first records the
 * restore, which closes every other budget. ADR 0080.
 */
export async function closeDays(context: AdminContext, closing: DayClosing): Promise<DaysClosed> {
  if (closesAll(closing)) await recordRestore(context, { isAlone: false });
  return bookLostCalls(context, closing);
}

/**
 * Without an amount, books the whole remaining budget, which is the maximum cost of lost calls.
 * That closes the day until a correction. A reference books once. ADR 0018.
 */
export async function bookLostCalls(
  context: AdminContext,
  closing: DayClosing,
): Promise<DaysClosed> {
  const closed: DaysClosed[number][] = [];
  for (const { app, day, picoUsd, doneBefore } of await openClosings(context, closing)) {
    const closure = { day, picoUsd: closing.picoUsd, reference: closing.reference };
    const booked =
      doneBefore === undefined
        ? await closeDay(context, app, closure)
        : { app: app.name, day, callId: doneBefore, bookedUsd: formatUsd(picoUsd) };
    if (booked !== undefined) closed.push(booked);
  }
  return closed;
}

async function closeDay(
  context: AdminContext,
  app: AppRow,
  { day, picoUsd, reference }: Pick<DayClosing, 'picoUsd' | 'reference'> & { readonly day: string },
): Promise<DaysClosed[number] | undefined> {
  const facts = factsOf(context, app.name, day);
  const held = await hold({ context, app, facts, picoUsd });
  const cost = picoUsd ?? held;
  if (cost === 0n) return undefined;
  const endedAt = facts.startedAt;
  const isKnown = picoUsd !== undefined;
  const settled = context.queue.submit({
    kind: 'settle',
    facts,
    end: {
      ...{ code: 'LOST', tokens: noTokens, cost, attempts: '[]', upstreamId: undefined, endedAt },
      estimated: isKnown ? 0n : cost,
      basis: isKnown ? 'corrected' : 'estimated',
      estimateReason: isKnown ? undefined : 'closed-day',
    },
    walletCost: 0n,
    outcome: 'forgotten',
    answerExpiresAt: endedAt,
    line: auditNote(context, {
      ...{ action: closingAction, subject: closingSubject(app.name, day) },
      ...{ reference, callId: facts.callId },
    }),
  });
  await settled.catch((cause: Error) => undo(context, facts, cause));
  return { app: app.name, day, callId: facts.callId, bookedUsd: formatUsd(cost) };
}

/**
 * For a failed booking: another closing used the reference, or the store was unavailable. A missing
 * reservation was booked; only the response was lost.
 */
async function undo({ queue }: AdminContext, facts: CallFacts, cause: Error): Promise<void> {
  const { callId, app, day, userId, month, keyHash, startedAt: now } = facts;
  const ids = { callId, app, day, userId, month, keyHash };
  const outcome = await queue.submit({ kind: 'expire', ...ids, now, isUnsent: true });
  if (outcome?.kind === 'ended-before') return;
  throw new AdminError(`the day was not closed; you can retry: ${cause.message}`);
}

/**
 * Reserves the remaining budgets, so running calls cannot use them. The booking is the app's whole
 * remaining daily budget, even where another budget has less.
 */
async function hold(parts: {
  readonly context: AdminContext;
  readonly app: AppRow;
  readonly facts: CallFacts;
  readonly picoUsd: bigint | undefined;
}): Promise<bigint> {
  const { context, app, facts, picoUsd } = parts;
  let remaining: bigint | undefined;
  let isSpent: true | undefined;
  for (let tries = 1; tries <= triesMax; tries++) {
    const rest = await restOf(context, app, facts.day);
    const booked = picoUsd === undefined ? (rest ?? 0n) : smaller(picoUsd, rest ?? picoUsd);
    if (booked === 0n) return 0n;
    const now = facts.startedAt;
    const amount = smaller(booked, remaining ?? booked);
    const outcome = await context.queue.submit({
      ...{ kind: 'reserve', facts, amount, wallet: undefined, idempotency: undefined, now },
      ...(await claimsOf(context, facts)),
      ...{ instanceId: context.actor, expiresAt: now + holdMs, isSpent },
    });
    if (outcome?.kind === 'reserved') return booked;
    const isBudget = outcome?.kind === 'refused' && outcome.code === 'BUDGET_EXCEEDED';
    assert(
      isBudget || outcome?.kind === 'outdated-budgets',
      `the result of a closing is ${outcome?.kind}`,
    );
    // A budget over its limit rejects even a reservation of 0. `isSpent` skips the check, since the
    // cost was spent.
    isSpent = isBudget && amount === 0n ? true : undefined;
    remaining = isBudget && outcome.scope !== undefined ? outcome.remaining : undefined;
  }
  throw new AdminError(
    `too many concurrent changes of the budget of ${app.name}; disable the app, close the day, and enable the app again`,
  );
}

async function claimsOf({ store }: AdminContext, facts: CallFacts) {
  const budgetsRevision = await store.read(selectBudgetsRevision);
  const scopesOf = createScopes(await store.read(selectBudgets), () => undefined);
  return { scopes: scopesOf(facts), budgetsRevision };
}

function factsOf(context: AdminContext, app: string, day: string): CallFacts {
  return {
    ...{ callId: context.ids.call(), app, day, month: undefined, userId: undefined },
    ...{ route: lostRoute, model: 'unknown', usageModel: lostModel },
    ...{
      keyHash: undefined,
      keyId: undefined,
      remote: undefined,
      trace: undefined,
      platform: undefined,
    },
    // Without a version, it would count as an unpriced call, which costs nothing.
    priceVersion: 'lost',
    startedAt: context.clock.now(),
  };
}
