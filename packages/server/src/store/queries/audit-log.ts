import type { AuditLine } from '../../books/audit-line.ts';
import type { Query, SqlValue } from '../port/port.ts';
import { auditLines } from '../schema/audit-table.ts';

/** Undefined fields do not filter. */
export interface LineFilter {
  readonly subjects: readonly string[] | undefined;
  readonly actor: string | undefined;
  readonly since: number | undefined;
  readonly action?: string | undefined;
  /** Exclusive: only lines older than this id's. */
  readonly after?: string | undefined;
  /** Includes their keys, wallets, runs, projects and calls. */
  readonly apps?: readonly string[] | undefined;
}

/** Lines of one millisecond are in the order of the chain. */
const newestFirst = 'order by at desc, coalesce(seq, 0) desc, id desc';

/** Newest first. */
export function selectLines(filter: LineFilter, limit: number): Query<readonly AuditLine[]> {
  const values: SqlValue[] = [limit];
  const filters = conditions(filter).map(([condition, value]) => {
    values.push(value);
    return `and (${condition.replaceAll('?', `$${values.length}`)})`;
  });
  const { subjects } = filter;
  const placeholders = subjects?.map((subject) => `$${values.push(subject)}`);
  const among = placeholders === undefined ? '' : `and subject in (${placeholders.join(', ')})`;
  return {
    sql: ['select * from audit_log where at >= 0', ...filters, among, newestFirst, 'limit $1'].join(
      ' ',
    ),
    values,
    map: (rows) => rows.map(auditLines.read),
    isLong: true,
  };
}

function conditions(filter: LineFilter): readonly (readonly [string, SqlValue])[] {
  const all: readonly (readonly [string, SqlValue | undefined])[] = [
    ['at >= ?', filter.since],
    [isActor, filter.actor],
    ['action = ?', filter.action],
    [isOlder, filter.after],
    [isOfApps, filter.apps && `,${filter.apps.join(',')},`],
  ];
  return all.flatMap(([condition, value]) => (value === undefined ? [] : [[condition, value]]));
}

/** Console actors have their role and session in brackets. */
const isActor = "actor = ? or substr(actor, 1, length(cast(? as text)) + 2) = ? || ' ('";

const isOlder = `(at, coalesce(seq, 0), id) < (
    select shown.at, coalesce(shown.seq, 0), shown.id from audit_log shown where shown.id = ?)`;

const isOfApps = `exists (
    select 1 from app
     where ? like '%,' || app.name || ',%'
       and (subject = app.name or subject like app.name || '/%' or subject like app.name || ' %'))
  or exists (
    select 1 from api_key
     where api_key.id = audit_log.subject and ? like '%,' || api_key.customer_id || ',%')
  or exists (
    select 1 from call where call.call_id = audit_log.subject and ? like '%,' || call.app || ',%')`;

/** In order; `before` and `after` are settings as JSON. */
export const selectAppLines: Query<readonly AuditLine[]> = {
  sql: `
    select * from audit_log
     where action in ('app.create', 'app.update')
     order by at, coalesce(seq, 0), id`,
  values: [],
  isLong: true,
  map: (rows) => rows.map(auditLines.read),
};

/** In order. */
export function selectLinesOfCall(callId: string): Query<readonly AuditLine[]> {
  return {
    sql: `
      select * from audit_log
       where subject = $1 or call_id = $1
       order by at, coalesce(seq, 0), id`,
    values: [callId],
    map: (rows) => rows.map(auditLines.read),
  };
}

/** Both ids inclusive, in order. */
export function selectLinesBetween(
  first: string,
  last: string,
  limit: number,
): Query<readonly AuditLine[]> {
  return {
    sql: 'select * from audit_log where id between $1 and $2 order by id limit $3',
    values: [first, last, limit],
    map: (rows) => rows.map(auditLines.read),
  };
}
