import type { AuditLine } from '../books/rows.ts';
import type { Statement } from './port.ts';

const insertLine = `
  insert into audit_log (id, at, actor, action, subject, before_value, after_value, reason,
    reference, call_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Adds a line to the audit log of either database. */
export function insertAuditLine(line: AuditLine): Statement {
  const { id, at, actor, action, subject, before = null, after = null } = line;
  const { reason = null, reference = null, callId = null } = line;
  const values = [id, at, actor, action, subject, before, after, reason, reference, callId];
  return { sql: insertLine, values };
}
