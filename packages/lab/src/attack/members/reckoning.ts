import type { BudgetCheck } from '../books/books.ts';
import type { BudgetCall, BudgetRows } from '../books/budget-rows.ts';
import { sum } from '../books/spent-caps.ts';

export interface MemberChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Derived from its members, and from the calls that ended during each membership. */
export interface Reckoning {
  note(rows: BudgetRows, change: MemberChange): void;
  checks(rows: BudgetRows, when: string): readonly BudgetCheck[];
}

/**
 * By docs/budgets.md: all calls of a member count, and its spending stays when it leaves. A call
 * that ended during the change may count or not.
 */
export function createReckoning(group: string, periods: readonly string[]): Reckoning {
  let members: ReadonlySet<string> = new Set();
  const staying = new Map<string, 'yes' | 'no' | 'maybe'>();
  return { note, checks };

  function note({ calls }: BudgetRows, { before, after }: MemberChange) {
    members = new Set(after);
    for (const { app, callId } of calls) {
      if (staying.has(callId)) continue;
      const [was, is] = [before.includes(app), after.includes(app)];
      const stays = is ? 'yes' : 'no';
      staying.set(callId, was === is ? stays : 'maybe');
    }
  }

  function checks({ calls, holds, budgets }: BudgetRows, when: string): readonly BudgetCheck[] {
    const stays = (call: BudgetCall) => staying.get(call.callId) ?? 'maybe';
    const counted = calls.filter((call) => members.has(call.app) || stays(call) === 'yes');
    const open = calls.filter((call) => !members.has(call.app) && stays(call) === 'maybe');
    const leastPicoUsd = sum(counted, ({ picoUsd }) => picoUsd);
    const running = holds.filter(({ app }) => members.has(app));
    return periods.map((period) => {
      const row = budgets.find(({ scope, ...own }) => scope === group && own.period === period);
      return {
        ...{ name: `${group}@${period}`, when, leastPicoUsd },
        maximumCostPicoUsd: leastPicoUsd + sum(open, ({ picoUsd }) => picoUsd),
        countedPicoUsd: row?.spentPicoUsd ?? 0n,
        runningPicoUsd: sum(running, ({ picoUsd }) => picoUsd),
        heldPicoUsd: row?.heldPicoUsd ?? 0n,
      };
    });
  }
}

export function checkUsers(
  { calls, holds, budgets }: BudgetRows,
  { app, day, when }: { readonly app: string; readonly day: string; readonly when: string },
): readonly BudgetCheck[] {
  const amountOf = (rows: readonly BudgetCall[], userId: string) =>
    sum(
      rows.filter((row) => row.app === app && row.userId === userId),
      ({ picoUsd }) => picoUsd,
    );
  const prefix = `user:${app}:`;
  const rows = budgets.filter(({ scope, period }) => scope.startsWith(prefix) && period === day);
  const seen = [...calls, ...holds].flatMap((row) => (row.app === app ? (row.userId ?? []) : []));
  const users = new Set([...seen, ...rows.map(({ scope }) => scope.slice(prefix.length))]);
  return [...users].map((userId) => {
    const row = rows.find(({ scope }) => scope === `${prefix}${userId}`);
    const spent = amountOf(calls, userId);
    return {
      ...{ name: `users of ${app}@${day}`, when: `${when}, user ${JSON.stringify(userId)}` },
      ...{
        leastPicoUsd: spent,
        maximumCostPicoUsd: spent,
        countedPicoUsd: row?.spentPicoUsd ?? 0n,
      },
      runningPicoUsd: amountOf(holds, userId),
      heldPicoUsd: row?.heldPicoUsd ?? 0n,
    };
  });
}
