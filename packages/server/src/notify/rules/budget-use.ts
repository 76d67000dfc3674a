import type { JsonObject } from '@model-gateway/contract';
import type { BudgetMode, BudgetSpan } from '../../domain/budget.ts';
import { nextUtcDayMs, nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import type { Store } from '../../store/port.ts';
import {
  type DayUse,
  type ScopeUse,
  selectDayUses,
  selectScopeUses,
} from '../../store/queries/alert-facts.ts';

/** What is used of a budget in a period: of an app's own day, or of a cap beside it. */
export interface BudgetUse {
  /** `app:NAME`, `group:NAME` or `key:LINEAGE`. */
  readonly scope: string;
  readonly period: string;
  readonly span: BudgetSpan;
  /** Undefined where there is none. */
  readonly capPicoUsd: bigint | undefined;
  readonly mode: BudgetMode;
  readonly spentPicoUsd: bigint;
  readonly heldPicoUsd: bigint;
  /** From when on it counts what is spent, where that is not the start of the period. */
  readonly sinceMs: number;
  /** Whose it is. */
  readonly apps: readonly string[] | 'all';
  /** Of an app's own day alone. */
  readonly day: Pick<DayUse, 'app' | 'estimated' | 'overrun'> | undefined;
}

/** A day and its month. */
export interface Periods {
  readonly day: string;
  readonly month: string;
}

/** What was passed shortly before midnight is told after it: also when the store was away. */
const lookBackMs = 15 * 60_000;

/** The day and the month of a moment, and those that ended shortly before. */
export type LookedAt = readonly [now: Periods, before?: Periods];

/** Which are looked at. */
export function periodsAt(nowMs: number): LookedAt {
  const [now, before] = [periodsOf(nowMs), periodsOf(nowMs - lookBackMs)];
  return now.day === before.day ? [now] : [now, before];
}

function periodsOf(ms: number): Periods {
  return { day: utcDayOf(ms), month: utcMonthOf(ms) };
}

/** What is used of every budget in these periods. */
export async function readBudgetUses(
  store: Pick<Store, 'read'>,
  periods: LookedAt,
): Promise<readonly BudgetUse[]> {
  const read = await Promise.all(
    periods
      .filter((each) => each !== undefined)
      .map(async ({ day, month }) => {
        const [days, scopes] = await Promise.all([
          store.read(selectDayUses(day)),
          store.read(selectScopeUses(day, month)),
        ]);
        return [...days.map((use) => ofDay(use, day)), ...scopes.map(ofScope)];
      }),
  );
  const [first = [], ...rest] = read;
  if (rest.length === 0) return first;
  return [...new Map(read.flat().map((use) => [placeOf(use), use])).values()];
}

/** What names a budget and its period. */
export function placeOf({ scope, period }: { scope: string; period: string }): string {
  return `${scope}\n${period}`;
}

function ofDay({ app, cap, spent, held, estimated, overrun }: DayUse, day: string): BudgetUse {
  return {
    scope: `app:${app}`,
    period: day,
    span: 'day',
    capPicoUsd: cap,
    mode: 'enforce',
    spentPicoUsd: spent,
    heldPicoUsd: held,
    sinceMs: 0,
    apps: [app],
    day: { app, estimated, overrun },
  };
}

function ofScope(use: ScopeUse): BudgetUse {
  const { scope, period, span, cap, mode, spent, held, since } = use;
  const isKeys = scope.startsWith('key:');
  return {
    ...{ scope, period, span, mode },
    capPicoUsd: cap,
    spentPicoUsd: spent,
    heldPicoUsd: held,
    // What others have spent before a budget was made is brought into it; of keys it is not known.
    sinceMs: isKeys ? since : 0,
    apps: appsOf(use),
    day: undefined,
  };
}

function appsOf({ scope, members, keyApp }: ScopeUse): BudgetUse['apps'] {
  if (members !== undefined) return members === 'all' ? 'all' : JSON.parse(members);
  if (keyApp !== undefined) return [keyApp];
  return scope.startsWith('app:') ? [scope.slice('app:'.length)] : [];
}

/** When a period begins and ends, in milliseconds since 1970. */
export function boundsOf({ span, period }: Pick<BudgetUse, 'span' | 'period'>) {
  const startMs = Date.parse(span === 'day' ? period : `${period}-01`);
  return { startMs, endMs: span === 'day' ? nextUtcDayMs(startMs) : nextUtcMonthMs(startMs) };
}

const owners: Readonly<Record<string, string>> = {
  app: 'the app',
  group: 'the group',
  key: 'the API key',
};

/** What each event of a budget says: whose it is, what it has, when it begins anew. */
export function budgetData(use: BudgetUse, capPicoUsd: bigint): JsonObject {
  const { scope, period, span, mode, spentPicoUsd, heldPicoUsd } = use;
  const [kind = '', name = ''] = scope.split(':', 2);
  const used = spentPicoUsd + heldPicoUsd;
  // Nothing can be spent of nothing: it is used up.
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
    resetsAt: new Date(boundsOf(use).endMs).toISOString(),
  };
}
