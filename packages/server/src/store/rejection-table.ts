import { table } from './table.ts';

/** A call that was rejected for its money, with the amounts that this was decided on. */
export interface Rejection {
  readonly id: string;
  readonly at: number;
  readonly app: string;
  readonly code: string;
  /** The budget with the least left, without the name of a user; undefined for a wallet. */
  readonly scope: string | undefined;
  readonly period: string | undefined;
  /** Undefined for a wallet, and where the column is the end. */
  readonly cap: bigint | undefined;
  readonly spent: bigint | undefined;
  readonly held: bigint;
  readonly amountLeft: bigint;
  readonly needed: bigint;
  readonly isUnpriced: boolean;
}

/** A sample of them. */
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
