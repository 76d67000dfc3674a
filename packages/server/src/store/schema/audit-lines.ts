import type { AuditLine } from '../../books/audit-line.ts';
import type { Statement } from '../port/port.ts';
import { auditLines } from './audit-table.ts';
import { insertOne } from './row-statement.ts';

export const insertLine = insertOne(auditLines);

/** Its values are bound when its position is known. */
export function insertAuditLine(line: AuditLine): Statement {
  return { sql: insertLine.sql, values: [], line };
}

export const selectHead = 'select seq, kid, hmac from audit_head where id = 1';

export const moveHead = 'update audit_head set seq = $1, kid = $2, hmac = $3 where id = 1';

/** The last of all locks: its holder waits for no other. */
export const lockHead = 'select seq, kid, hmac from audit_head where id = 1 for update';
