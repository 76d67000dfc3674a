import { parseKeyName } from '../../domain/key-name.ts';
import type { ApiKey } from '../../domain/registered-app.ts';
import type { Query, SqlRow } from '../port/port.ts';
import { int, optionalText, text } from '../schema/columns.ts';
import { budgetDefinitions } from '../schema/scope-tables.ts';
import { type ProjectBinding, projectBindings } from '../schema/service-tables.ts';
import { type AppRow, appOf, selectAppRows } from './app-rows.ts';
import { type BudgetRow, budgetOf } from './budgets.ts';
import type { ChangeKind } from './registry-changes.ts';

// Rows that the registry stores in memory: all of them page by page, and changed ones.

/** Rows per query, which are copied between threads at once. */
const pageRows = 1_000;

export interface RegistryRows<Row> {
  readonly kind: ChangeKind;
  readonly select: string;
  /** In sort order. The first is the id in change lines. */
  readonly key: readonly string[];
  readonly keyOf: (row: Row) => readonly string[];
  readonly parse: (row: SqlRow) => Row;
}

/** Small, because memory may contain hundreds of thousands. */
export interface RegisteredKey extends ApiKey {
  readonly hash: string;
  readonly isEnabled: boolean;
}

export const keyRows: RegistryRows<RegisteredKey> = {
  kind: 'key',
  select: `
    select id, key_hash, name, customer_id, enabled, lineage, models, expires_at from api_key`,
  key: ['id'],
  keyOf: ({ id }) => [id],
  parse(row) {
    const id = text(row, 'id');
    const name = text(row, 'name');
    const expiresAt = row.expires_at === null ? undefined : int(row, 'expires_at');
    return {
      ...{ id, name, expiresAt, customerId: text(row, 'customer_id'), parsed: parseKeyName(name) },
      ...{ lineage: optionalText(row, 'lineage') ?? id, models: modelsOf(row) },
      ...{ hash: text(row, 'key_hash'), isEnabled: int(row, 'enabled') === 1 },
    };
  },
};

function modelsOf(row: SqlRow): ApiKey['models'] {
  const written = optionalText(row, 'models');
  return written === undefined ? undefined : new Set<string>(JSON.parse(written));
}

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

export function appRows(company: string): RegistryRows<AppRow> {
  return {
    ...{ kind: 'app', select: selectAppRows, key: ['name'] },
    keyOf: ({ name }) => [name],
    parse: (row) => appOf(row, company),
  };
}

/** In key order. Undefined: the first rows. */
export function selectPage<Row>(
  { select, key, keyOf }: RegistryRows<Row>,
  after: Row | undefined,
): Query<readonly SqlRow[]> {
  const columns = key.join(', ');
  const placeholders = key.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: `${select} where (${columns}) > (${placeholders}) order by ${columns} limit ${pageRows}`,
    values: after === undefined ? key.map(() => '') : keyOf(after),
    map: (rows) => rows,
  };
}

/** An app's row contains the limits of two budgets. */
export function selectChanged<Row>(
  { kind, select, key }: RegistryRows<Row>,
  since: bigint,
): Query<readonly SqlRow[]> {
  const [column = ''] = key;
  const named = 'select id from registry_change where revision > $1 and kind = $2';
  return {
    sql: `${select} where ${column} in (${kind === 'app' ? `${named}${ofBudgets}` : named})`,
    values: [since, kind],
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
