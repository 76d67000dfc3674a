import type { JsonObject } from '@model-gateway/contract';
import type { BudgetMode, BudgetSpan } from '../../domain/budget.ts';
import { nextUtcDayMs, nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import type { Store } from '../../store/port/port.ts';
import {
  readUse,
  type StoredUse,
  selectDayUses,
  selectScopeUses,
} from '../../store/queries/alert-facts.ts';

/** The use of a daily budget of an app, or of another budget. */
export interface BudgetUse {
  /** `app:NAME`, `group:NAME` or `key:CHAIN`, the id of a key rotation chain. */
  readonly scope: string;
  readonly period: string;
  readonly span: BudgetSpan;
  /** Undefined without a budget. */
  readonly capPicoUsd: bigint | undefined;
  readonly mode: BudgetMode;
  readonly spentPicoUsd: bigint;
  readonly heldPicoUsd: bigint;
  /** Start of the count, if it is after the start of the period. */
  readonly sinceMs: number;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly budgetKey: string;
  readonly apps: readonly string[] | 'all';
  /** Only for an app's daily budget. */
  readonly day: AppDay | undefined;
}

interface AppDay {
  readonly app: string;
  readonly estimated: bigint;
  readonly overrun: bigint;
}

export interface Periods {
  readonly day: string;
  readonly month: string;
}

/** Budgets passed shortly before midnight are reported after it, even after a store outage. */
const lookbackMs = 15 * 60_000;

/** `before` is set shortly after a period's end. */
export type CheckedPeriods = readonly [now: Periods, before?: Periods];

export function periodsAt(nowMs: number): CheckedPeriods {
  const [now, before] = [periodsOf(nowMs), periodsOf(nowMs - lookbackMs)];
  return now.day === before.day ? [now] : [now, before];
}

function periodsOf(ms: number): Periods {
  return { day: utcDayOf(ms), month: utcMonthOf(ms) };
}

export type ReadUses = (periods: CheckedPeriods) => Promise<readonly BudgetUse[]>;

/** Reuses objects that have not changed. */
export function createUseReader(store: Pick<Store, 'read'>): ReadUses {
  let previous: ReadonlyMap<string, BudgetUse> = new Map();
  return async (periods) => {
    const read = await Promise.all(
      periods
        .filter((each) => each !== undefined)
        .flatMap(({ day, month }) => [
          store.read(selectDayUses(day)),
          store.read(selectScopeUses(day, month)),
        ]),
    );
    // A month that contains both days is read twice; the map removes the equal lines.
    const uses = new Map<string, BudgetUse>();
    for (const line of read.flat()) uses.set(line, previous.get(line) ?? useOf(readUse(line)));
    previous = uses;
    return [...uses.values()];
  };
}

export function budgetKeyOf({ scope, period }: { scope: string; period: string }): string {
  return `${scope}\n${period}`;
}

function useOf(stored: StoredUse): BudgetUse {
  const { scope, period, span, mode, cap, spent, held, since, estimated, overrun } = stored;
  const startMs = Date.parse(span === 'day' ? period : `${period}-01`);
  return {
    ...{ scope, period, span, mode, startMs },
    capPicoUsd: cap,
    spentPicoUsd: spent,
    heldPicoUsd: held,
    // Earlier spending of apps is carried over into a new budget; earlier spending of a key is
    // unknown.
    sinceMs: scope.startsWith('key:') ? since : 0,
    endMs: span === 'day' ? nextUtcDayMs(startMs) : nextUtcMonthMs(startMs),
    budgetKey: budgetKeyOf({ scope, period }),
    apps: appsOf(stored),
    day:
      estimated === undefined || overrun === undefined
        ? undefined
        : { app: scope.slice('app:'.length), estimated, overrun },
  };
}

function appsOf({ scope, members, keyApp }: StoredUse): BudgetUse['apps'] {
  if (members !== undefined) return members === 'all' ? 'all' : JSON.parse(members);
  if (keyApp !== undefined) return [keyApp];
  return scope.startsWith('app:') ? [scope.slice('app:'.length)] : [];
}

const owners: Readonly<Record<string, string>> = {
  app: 'the app',
  group: 'the group',
  key: 'the API key',
};

export function budgetData(use: BudgetUse, capPicoUsd: bigint): JsonObject {
  const { scope, period, span, mode, spentPicoUsd, heldPicoUsd, endMs } = use;
  const [kind = '', name = ''] = scope.split(':', 2);
  const used = spentPicoUsd + heldPicoUsd;
  // A budget of 0 counts as used up.
  const usedPercent = capPicoUsd === 0n ? 100n : (used * 100n) / capPicoUsd;
  return {
    scope: kind === 'group' ? `group-${span}:${name}` : `${kind}-${span}`,
    [kind]: name,
    owner: `${owners[kind] ?? kind} ${name}`,
    ...{ span, period, mode },
    capUsd: formatUsd(capPicoUsd),
    spentUsd: formatUsd(spentPicoUsd),
    heldUsd: formatUsd(heldPicoUsd),
    usedPercent: Number(usedPercent),
    resetsAt: new Date(endMs).toISOString(),
  };
}
