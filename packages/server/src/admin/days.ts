import assert from 'node:assert';
import type { CallFacts } from '../ledger/core/rows.ts';
import { lostRoute, selectBudget } from '../ledger/queries.ts';
import { createLedgerQueue, type LedgerQueue } from '../ledger/queue.ts';
import { utcDayOf } from '../lib/clock.ts';
import { formatUsd, larger, smaller } from '../lib/money.ts';
import { type AppRow, selectApps } from '../registry/queries.ts';
import { appRow } from './apps.ts';
import { auditNote, type Office, OfficeError } from './office.ts';

/** What was booked for the calls that a day's ledger has lost. */
export interface ClosedDay {
  readonly app: string;
  readonly day: string;
  /** Its record, which `calls correct` puts right. */
  readonly callId: string;
  readonly bookedUsd: string;
}

/** What to close. */
export interface DayClosing {
  /** Undefined for every app with a daily budget. */
  readonly app: string | undefined;
  /** A UTC day; today where none is named. */
  readonly day: string | undefined;
  /** What the lost calls cost; undefined for all that the budget has left. */
  readonly picoUsd: bigint | undefined;
}

/** How often the budget's rest is read again because calls took of it in the meantime. */
const triesMax = 5;
/** A closing that is broken off in the middle is ended by a sweep, with the same result. */
const holdMs = 60_000;

/**
 * Books what a restored ledger has lost of a day. Without an amount, that is the most that the lost
 * calls can have cost: all that the budget has left. The day is closed by it until the record is
 * put right with what the platform has billed. Days with nothing left are left out. ADR 0018.
 */
export async function closeDays(
  office: Office,
  closing: DayClosing,
): Promise<readonly ClosedDay[]> {
  const today = utcDayOf(office.clock.now());
  const { day = today, picoUsd } = closing;
  if (day > today) throw new OfficeError(`the day ${day} has not begun: nothing of it is lost`);
  const apps = await appsOf(office, closing);
  const closed: ClosedDay[] = [];
  for (const app of apps) {
    const booked = await closeDay(office, app, { day, picoUsd });
    if (booked !== undefined) closed.push(booked);
  }
  return closed;
}

async function appsOf(office: Office, { app, picoUsd }: DayClosing): Promise<readonly AppRow[]> {
  if (app === undefined) {
    if (picoUsd !== undefined) {
      throw new OfficeError('an amount is of one app: name it', { isBadValue: true });
    }
    const rows = await office.store.read(selectApps(office.company));
    return rows.filter((row) => row.dailyBudgetPicoUsd !== undefined);
  }
  const row = await appRow(office, app);
  if (row.dailyBudgetPicoUsd === undefined && picoUsd === undefined) {
    throw new OfficeError(
      `the app ${app} has no daily budget that could be closed; book what the platform billed beyond the ledger with --usd`,
    );
  }
  return [row];
}

async function closeDay(
  office: Office,
  app: AppRow,
  { day, picoUsd }: { readonly day: string; readonly picoUsd: bigint | undefined },
): Promise<ClosedDay | undefined> {
  const queue = createLedgerQueue({ store: office.store, clock: office.clock, batchMax: 1 });
  const facts = factsOf(office, app.name, day);
  const held = await hold({ office, queue, app, facts, picoUsd });
  const cost = picoUsd ?? held;
  if (cost === 0n) return undefined;
  const endedAt = facts.startedAt;
  const isKnown = picoUsd !== undefined;
  await queue.submit({
    kind: 'settle',
    facts,
    end: {
      ...{ code: 'LOST', tokens: noTokens, cost, attempts: '[]', upstreamId: undefined, endedAt },
      estimated: isKnown ? 0n : cost,
      basis: isKnown ? 'corrected' : 'estimated',
    },
    walletCost: 0n,
    outcome: 'forgotten',
    answer: undefined,
    answerExpiresAt: endedAt,
    line: auditNote(office, { action: 'day.close', subject: `${app.name} ${day}` }),
  });
  return { app: app.name, day, callId: facts.callId, bookedUsd: formatUsd(cost) };
}

/** Takes as much of what is to be booked as the budget has left, against running calls. */
async function hold(parts: {
  readonly office: Office;
  readonly queue: LedgerQueue;
  readonly app: AppRow;
  readonly facts: CallFacts;
  readonly picoUsd: bigint | undefined;
}): Promise<bigint> {
  const { office, queue, app, facts, picoUsd } = parts;
  for (let tries = 1; tries <= triesMax; tries++) {
    const rest = await restOf(office, app, facts.day);
    const amount = picoUsd === undefined ? (rest ?? 0n) : smaller(picoUsd, rest ?? picoUsd);
    if (amount === 0n) return 0n;
    const now = facts.startedAt;
    const outcome = await queue.submit({
      ...{ kind: 'reserve', facts, amount, wallet: undefined, idempotency: undefined, now },
      ...{ owner: office.actor, expiresAt: now + holdMs },
    });
    if (outcome?.kind === 'reserved') return amount;
    assert(outcome?.kind === 'refused', `a closing came to ${outcome?.kind}`);
  }
  throw new OfficeError(
    `the budget of ${app.name} changed too often: disable the app, close the day, and enable it`,
  );
}

/** What the budget of a day has left; undefined for a day without a budget. */
async function restOf({ store }: Office, app: AppRow, day: string): Promise<bigint | undefined> {
  const budget = await store.read(selectBudget(app.name, day));
  if (budget === undefined) return app.dailyBudgetPicoUsd;
  if (budget.cap === undefined) return undefined;
  return larger(0n, budget.cap - budget.spent - budget.held);
}

function factsOf(office: Office, app: string, day: string): CallFacts {
  return {
    ...{ callId: office.ids.call(), app, day, month: undefined, userId: undefined },
    ...{ route: lostRoute, model: 'unknown', usageModel: 'other', keyHash: undefined },
    // It is no unpriced call, which would count as nothing.
    priceVersion: 'lost',
    startedAt: office.clock.now(),
  };
}

const noTokens = {
  ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 0, reasoningTokens: 0 },
} as const;
