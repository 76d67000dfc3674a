import type { BudgetDefinition } from '../../domain/budget.ts';
import type { Query, Statement } from '../port/port.ts';
import { big } from '../schema/columns.ts';
import { insertOr } from '../schema/row-statement.ts';
import { budgetDefinitions, type StoredBudget } from '../schema/scope-tables.ts';
import { shutOutOlder } from './instances.ts';

// Definitions of budgets. No ledger batch runs during a change: batches share a lock, and the
// change holds it exclusively.

export interface BudgetRow extends BudgetDefinition {
  readonly fileValues: string | undefined;
}

/** In lock order of scopes. */
export const selectBudgets: Query<readonly BudgetRow[]> = {
  sql: 'select * from budget_definition order by scope, span',
  values: [],
  map: (rows) => rows.map((row) => budgetOf(budgetDefinitions.read(row))),
};

export function selectBudgetsOf(...scopes: readonly string[]): Query<readonly BudgetRow[]> {
  const among = scopes.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: ['select * from budget_definition', `where scope in (${among})`, 'order by span'].join(
      ' ',
    ),
    values: scopes,
    map: selectBudgets.map,
  };
}

export function budgetOf({
  cap: capPicoUsd,
  visible,
  members,
  since,
  ...same
}: StoredBudget): BudgetRow {
  return {
    ...same,
    capPicoUsd,
    isVisible: visible,
    members: membersOf(members),
    sinceMs: since,
  };
}

function membersOf(written: string | undefined): BudgetDefinition['members'] {
  return written === undefined || written === 'all' ? written : JSON.parse(written);
}

export const selectBudgetsRevision: Query<bigint> = {
  sql: 'select value from budget_revision where id = 1',
  values: [],
  map: ([row]) => (row === undefined ? 0n : big(row, 'value')),
};

/** Older instances would end calls without their scopes. */
export const scopesSince = 19;

/** Reservations by an older revision are decided again. */
export const bumpBudgets: Statement = {
  sql: 'update budget_revision set value = value + 1 where id = 1',
  values: [],
  locksBudgets: true,
};

/**
 * Must come first. Changes nothing while an instance without scopes is alive, prevents the startup
 * of another, and makes replicas with older definitions decide again.
 */
export function beforeBudgets(aliveSinceMs: number): readonly Statement[] {
  return [shutOutOlder(scopesSince, aliveSinceMs), bumpBudgets];
}

/** Matches its row only at that revision; comes after {@link beforeBudgets}. */
export function unlessChangedSince(revision: bigint): Statement {
  const sql = 'update budget_revision set value = value where id = 1 and value = $1';
  return { sql, values: [revision + 1n], abortIfNoRows: true };
}

const putDefinition = insertOr(budgetDefinitions, [
  ...['cap = excluded.cap', 'mode = excluded.mode', 'visible = excluded.visible'],
  ...['members = excluded.members', 'origin = excluded.origin'],
  'file_values = excluded.file_values',
]);
const deleteDefinition = 'delete from budget_definition where scope = $1 and span = $2';

export function changesBudget({ sql }: Statement): boolean {
  return sql === putDefinition.sql || sql === deleteDefinition;
}

export function putBudget({
  capPicoUsd,
  isVisible,
  members,
  sinceMs,
  ...same
}: BudgetRow): Statement {
  const values = putDefinition.bind({
    ...same,
    cap: capPicoUsd,
    visible: isVisible,
    members: typeof members === 'object' ? JSON.stringify(members) : members,
    since: sinceMs,
  });
  return { sql: putDefinition.sql, values };
}

/** Calls that name it still count in its rows. */
export function deleteBudget({ scope, span }: Pick<BudgetRow, 'scope' | 'span'>): Statement {
  return { sql: deleteDefinition, values: [scope, span] };
}
