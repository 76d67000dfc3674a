import type { AuditLine } from '../../books/audit-line.ts';
import { auditLines } from '../audit-table.ts';
import type { Query } from '../port.ts';

/** Which lines of the audit log are looked for; what is undefined says nothing. */
export interface LineFilter {
  /** Either of two. */
  readonly subjects: readonly [string, string] | undefined;
  readonly actor: string | undefined;
  readonly since: number | undefined;
}

/** Lines of the audit log, the newest first. */
export function selectLines(
  { subjects, actor, since = 0 }: LineFilter,
  limit: number,
): Query<readonly AuditLine[]> {
  const [one = null, other = null] = subjects ?? [];
  return {
    sql: `
      select * from audit_log
       where at >= $1
         and (cast($2 as text) is null or subject in ($2, $3))
         and (cast($4 as text) is null or actor = $4)
       order by id desc
       limit $5`,
    values: [since, one, other, actor ?? null, limit],
    map: (rows) => rows.map(auditLines.read),
    isLong: true,
  };
}

/** What operators changed of a call's record, in order. */
export function selectLinesOfCall(callId: string): Query<readonly AuditLine[]> {
  return {
    sql: 'select * from audit_log where subject = $1 or call_id = $1 order by id',
    values: [callId],
    map: (rows) => rows.map(auditLines.read),
  };
}
