import type { Query, SqlRow } from '../port.ts';
import { budgetDefinitions } from '../scope-tables.ts';
import { projectBindings } from '../service-tables.ts';
import { type BudgetRow, budgetOf } from './budgets.ts';
import {
  type ApiKeyRow,
  type AppRow,
  appOf,
  keyOfRow,
  type ProjectBinding,
  selectAppRows,
} from './registry.ts';
import type { ChangeKind } from './registry-changes.ts';

// Rows that the registry keeps in memory: all of them slice by slice, and those that changed.

/** Rows of one query. What a query answers is copied from thread to thread at once. */
const sliceRows = 5_000;

/** How the rows of one kind are read. */
export interface RegistryRows<Row> {
  /** What the lines of changes call it. */
  readonly kind: ChangeKind;
  /** Selects all of them. */
  readonly select: string;
  /** The columns that order them; the first is the id of a line. */
  readonly key: readonly string[];
  readonly keyOf: (row: Row) => readonly string[];
  readonly parse: (row: SqlRow) => Row;
}

export const keyRows: RegistryRows<ApiKeyRow> = {
  ...{ kind: 'key', select: 'select * from api_key', key: ['id'] },
  keyOf: ({ id }) => [id],
  parse: keyOfRow,
};

export const bindingRows: RegistryRows<ProjectBinding> = {
  ...{ kind: 'binding', select: 'select * from project_binding', key: ['app', 'platform'] },
  keyOf: ({ app, platform }) => [app, platform],
  parse: projectBindings.read,
};

export const budgetRows: RegistryRows<BudgetRow> = {
  ...{ kind: 'budget', select: 'select * from budget_definition', key: ['scope', 'span'] },
  keyOf: ({ scope, span }) => [scope, span],
  parse: (row) => budgetOf(budgetDefinitions.read(row)),
};

/** Apps as this company sees them. */
export function appRows(company: string): RegistryRows<AppRow> {
  return {
    ...{ kind: 'app', select: selectAppRows, key: ['name'] },
    keyOf: ({ name }) => [name],
    parse: (row) => appOf(row, company),
  };
}

/** The rows after one, in the order of their keys; undefined for the first ones. */
export function selectSlice<Row>(
  { select, key, keyOf }: RegistryRows<Row>,
  after: Row | undefined,
): Query<readonly SqlRow[]> {
  const columns = key.join(', ');
  const places = key.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: `${select} where (${columns}) > (${places}) order by ${columns} limit ${sliceRows}`,
    values: after === undefined ? key.map(() => '') : keyOf(after),
    map: (rows) => rows,
  };
}

/** The rows that lines after a revision name. An app's row has the caps of two budgets. */
export function selectChanged<Row>(
  { kind, select, key }: RegistryRows<Row>,
  since: bigint,
): Query<readonly SqlRow[]> {
  const [column = ''] = key;
  const named = `select id from registry_change where revision > $1 and kind = '${kind}'`;
  return {
    sql: `${select} where ${column} in (${kind === 'app' ? `${named}${ofBudgets}` : named})`,
    values: [since],
    map: (rows) => rows,
  };
}

const ofBudgets = ['app:', 'users:']
  .map(
    (start) => `
    union select substr(id, ${start.length + 1}) from registry_change
     where revision > $1 and kind = 'budget' and substr(id, 1, ${start.length}) = '${start}'`,
  )
  .join('');
