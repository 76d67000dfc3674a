import { table } from './table.ts';

export interface StoredAlert {
  /** The same for each attempt and webhook. */
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly period: string;
  readonly mark: string;
  readonly at: number;
  readonly body: string;
}

/** One per type, subject, period and mark. */
export const alertEvents = table<StoredAlert>('alert_event', ['id'], (row, as) => ({
  id: as.text(row.id),
  type: as.text(row.type),
  subject: as.text(row.subject),
  period: as.text(row.period),
  mark: as.text(row.mark),
  at: as.int(row.at),
  body: as.text(row.body),
}));
