import type { BudgetDefinition } from '../../domain/budget.ts';
import { big } from '../columns.ts';
import type { Query, Statement } from '../port.ts';
import { insertOr } from '../row-statement.ts';
import { budgetDefinitions, type StoredBudget } from '../scope-tables.ts';
import { shutOutOlder } from './instances.ts';

// Definitions of budgets. No batch of the ledger runs beside a change of one: each has a shared
// lock, and the change has the lock alone.

/** A definition with what the file said of it last. */
export interface BudgetRow extends BudgetDefinition {
  readonly fileValues: string | undefined;
}

/** Every definition, in the order in which scopes are locked. */
export const selectBudgets: Query<readonly BudgetRow[]> = {
  sql: 'select * from budget_definition order by scope, span',
  values: [],
  map: (rows) => rows.map((row) => budgetOf(budgetDefinitions.read(row))),
};

/** The definitions of one scope. */
export function selectBudgetsOf(scope: string): Query<readonly BudgetRow[]> {
  return {
    sql: 'select * from budget_definition where scope = $1 order by span',
    values: [scope],
    map: selectBudgets.map,
  };
}

/** A definition as it is stored. */
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

/** A number that grows with every change of a definition. */
export const selectBudgetsRevision: Query<bigint> = {
  sql: 'select value from budget_revision where id = 1',
  values: [],
  map: ([row]) => (row === undefined ? 0n : big(row, 'value')),
};

/** Of which schema on an instance knows scopes: one that does not would end calls without them. */
export const scopesSince = 19;

/** Says that budgets have changed: a reservation by the revision before is decided again. */
export const bumpBudgets: Statement = {
  sql: 'update budget_revision set value = value + 1 where id = 1',
  values: [],
  locksBudgets: true,
};

/**
 * What comes first in a change of definitions: it changes nothing where an instance is alive that
 * knows no scopes, nor lets one start from now on; and it tells replicas whose decisions rest on
 * older definitions.
 */
export function beforeBudgets(aliveSinceMs: number): readonly Statement[] {
  return [shutOutOlder(scopesSince, aliveSinceMs), bumpBudgets];
}

/** Finds its row where no definition has changed since this revision; comes after the above. */
export function unlessChangedSince(revision: bigint): Statement {
  const sql = 'update budget_revision set value = value where id = 1 and value = $1';
  return { sql, values: [revision + 1n], abortIfNoRows: true };
}

/** When it was first set stays as it was. */
const putDefinition = insertOr(budgetDefinitions, [
  ...['cap = excluded.cap', 'mode = excluded.mode', 'visible = excluded.visible'],
  ...['members = excluded.members', 'origin = excluded.origin'],
  'file_values = excluded.file_values',
]);
const deleteDefinition = 'delete from budget_definition where scope = $1 and span = $2';

/** Whether a statement changes a definition. */
export function changesBudget({ sql }: Statement): boolean {
  return sql === putDefinition.sql || sql === deleteDefinition;
}

/** Writes a definition. */
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

/** Forgets a definition; what calls carry of it goes on to be counted in its rows. */
export function forgetBudget({ scope, span }: Pick<BudgetRow, 'scope' | 'span'>): Statement {
  return { sql: deleteDefinition, values: [scope, span] };
}
