import type { Statement } from '../port/port.ts';
import { type Rejection, rejections } from '../schema/rejection-table.ts';
import { insertOne } from '../schema/row-statement.ts';

export type { Rejection };

const insert = insertOne(rejections);

export function addRejections(rows: readonly Rejection[]): readonly Statement[] {
  return rows.map((row) => ({ sql: insert.sql, values: insert.bind(row) }));
}

export function dropRejections(beforeMs: number): Statement {
  return { sql: 'delete from rejection where at < $1', values: [beforeMs] };
}
