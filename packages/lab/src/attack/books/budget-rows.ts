import type { Store } from '@model-gateway/server/store/port/port';
import { big, optionalText, text } from '@model-gateway/server/store/schema/columns';

export interface BudgetRows {
  readonly calls: readonly BudgetCall[];
  readonly holds: readonly BudgetCall[];
  readonly budgets: readonly CountedBudget[];
}

/** Read without the call's list of budgets. */
export interface BudgetCall {
  readonly app: string;
  readonly callId: string;
  readonly userId: string | undefined;
  readonly code: string;
  readonly picoUsd: bigint;
}

export interface CountedBudget {
  readonly scope: string;
  readonly period: string;
  readonly spentPicoUsd: bigint;
  readonly heldPicoUsd: bigint;
}

/** One statement gives all rows at the same time; it does not read any call's list of budgets. */
export function readBudgetRows(store: Store, apps: readonly string[]): Promise<BudgetRows> {
  const named = apps.map((_, index) => `$${index + 1}`).join(', ');
  return store.read({
    sql: `
      select 'call' as kind, app as owner, call_id as id, user_id, code, cost as amount, 0 as held
        from call
       where app in (${named})
       union all
      select 'hold', app, call_id, user_id, '', budget_amount, 0
        from hold
       where app in (${named})
       union all
      select 'budget', scope, period, null, '', spent, held
        from budget_scope`,
    values: apps,
    isLong: true,
    map: (rows) => {
      const ofKind = (kind: string) => rows.filter((row) => text(row, 'kind') === kind);
      const callOf = (row: (typeof rows)[number]): BudgetCall => ({
        app: text(row, 'owner'),
        callId: text(row, 'id'),
        userId: optionalText(row, 'user_id'),
        code: text(row, 'code'),
        picoUsd: big(row, 'amount'),
      });
      return {
        calls: ofKind('call').map(callOf),
        holds: ofKind('hold').map(callOf),
        budgets: ofKind('budget').map((row) => ({
          scope: text(row, 'owner'),
          period: text(row, 'id'),
          spentPicoUsd: big(row, 'amount'),
          heldPicoUsd: big(row, 'held'),
        })),
      };
    },
  });
}
