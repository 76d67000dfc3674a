import type { Statement } from '../port/port.ts';
import { insertOne } from '../schema/row-statement.ts';
import { table } from '../schema/table.ts';

interface Rejection {
  readonly id: string;
  readonly at: number;
  readonly app: string;
  readonly code: string;
  /** The budget with the least remaining, without a user's name; undefined for a wallet. */
  readonly scope: string | undefined;
  readonly period: string | undefined;
  /** Undefined for a wallet, and if the column's limit decides. */
  readonly cap: bigint | undefined;
  readonly spent: bigint | undefined;
  readonly held: bigint;
  readonly amountLeft: bigint;
  readonly needed: bigint;
  readonly isUnpriced: boolean;
}

export const rejections = table<Rejection>('rejection', ['id'], (row, as) => ({
  id: as.text(row.id),
  at: as.int(row.at),
  app: as.text(row.app),
  code: as.text(row.code),
  scope: as.optionalText(row.scope),
  period: as.optionalText(row.period),
  cap: as.optionalBig(row.cap),
  spent: as.optionalBig(row.spent),
  held: as.big(row.held),
  amountLeft: as.big(row.amountLeft),
  needed: as.big(row.needed),
  isUnpriced: as.flag(row.isUnpriced),
}));

export type { Rejection };

const insert = insertOne(rejections);

export function addRejections(rows: readonly Rejection[]): readonly Statement[] {
  return rows.map((row) => ({ sql: insert.sql, values: insert.bind(row) }));
}

export function dropRejections(beforeMs: number): Statement {
  return { sql: 'delete from rejection where at < $1', values: [beforeMs] };
}
