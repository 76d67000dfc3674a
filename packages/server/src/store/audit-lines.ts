import type { AuditLine } from '../ledger/core/rows.ts';
import type { Statement } from './port.ts';

const insertLine = `
  insert into audit_log (id, at, actor, action, subject, before_value, after_value)
  values ($1, $2, $3, $4, $5, $6, $7)`;

/** Adds a line to the audit log of either database. */
export function insertAuditLine(line: AuditLine): Statement {
  const { id, at, actor, action, subject, before = null, after = null } = line;
  return { sql: insertLine, values: [id, at, actor, action, subject, before, after] };
}
