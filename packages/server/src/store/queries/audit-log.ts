import type { AuditLine } from '../../books/audit-line.ts';
import { auditLines } from '../audit-table.ts';
import type { Query } from '../port.ts';

/** What operators changed of a call's record, in order. */
export function selectLinesOfCall(callId: string): Query<readonly AuditLine[]> {
  return {
    sql: 'select * from audit_log where subject = $1 or call_id = $1 order by id',
    values: [callId],
    map: (rows) => rows.map(auditLines.read),
  };
}
