import type { Query, SqlRow, Statement } from '../port/port.ts';
import type { StoredAlert } from '../schema/alert-tables.ts';
import { text } from '../schema/columns.ts';

// Events that were already sent and must not be sent again.

export type SentAlert = Pick<StoredAlert, 'id' | 'type' | 'subject' | 'period' | 'mark' | 'body'>;

/** Those of the day, the month, and the periods that ended shortly before. */
export function selectSentAlerts(
  ...periods: readonly [day: string, month: string, dayBefore: string, monthBefore: string]
): Query<readonly SentAlert[]> {
  return {
    sql: `
      select id, type, subject, period, mark, body
        from alert_event
       where period in ($1, $2, $3, $4)`,
    values: periods,
    map: (rows) => rows.map(readSentAlert),
  };
}

export function selectSentAlertsOf(
  ...named: readonly [type: string, subject: string, period: string]
): Query<readonly SentAlert[]> {
  return {
    sql: `
      select id, type, subject, period, mark, body
        from alert_event
       where type = $1 and subject = $2 and period = $3`,
    values: named,
    map: (rows) => rows.map(readSentAlert),
  };
}

export function selectLatest(types: readonly [string, string]): Query<readonly SentAlert[]> {
  return {
    sql: `
      select id, type, subject, period, mark, body
        from alert_event
       where type in ($1, $2)
       order by at desc, id desc
       limit 1000`,
    values: types,
    map: (rows) => rows.map(readSentAlert),
  };
}

function readSentAlert(row: SqlRow): SentAlert {
  return {
    id: text(row, 'id'),
    type: text(row, 'type'),
    subject: text(row, 'subject'),
    period: text(row, 'period'),
    mark: text(row, 'mark'),
    body: text(row, 'body'),
  };
}

/** The same mark can occur again, so the old event gets a unique one. */
export function releaseMark(id: string, mark: string): Statement {
  return {
    sql: `update alert_event set mark = mark || '@' || id where id = $1 and mark = $2`,
    values: [id, mark],
  };
}
