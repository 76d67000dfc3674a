import { hash } from 'node:crypto';
import type pg from 'pg';
import type { SqlRow, SqlValue } from '../port.ts';
import { arrayText } from './array-text.ts';

/** A table's columns in the order of its statement: how each is read from a row. */
export type Columns<Row> = readonly ((row: Row) => SqlValue)[];

/**
 * Sends a statement for these rows, one array a column, without waiting for the answers to those
 * before it. Nothing is sent where there are no rows.
 */
export type Ask = <Row>(
  statement: string,
  columns: Columns<Row>,
  rows: readonly Row[],
  ...more: readonly SqlValue[]
) => Promise<readonly SqlRow[]>;

/** Asks on a connection that is in pipeline mode. */
export function createAsk(client: pg.Client, options: { readonly isNamed: boolean }): Ask {
  return async (statement, columns, rows, ...more) => {
    if (rows.length === 0) return [];
    const values = [...columns.map((column) => arrayText(rows.map(column))), ...more];
    const name = options.isNamed ? { name: nameOf(statement) } : {};
    return (await client.query<SqlRow>({ text: statement, values, ...name })).rows;
  };
}

const names = new Map<string, string>();

/**
 * A statement is planned once a connection. Its name is made of its text, so that behind a pooler
 * the same name is the same statement for every process and every version.
 */
function nameOf(statement: string): string {
  const known = names.get(statement);
  if (known !== undefined) return known;
  const name = `mg_${hash('sha256', statement).slice(0, 24)}`;
  names.set(statement, name);
  return name;
}
