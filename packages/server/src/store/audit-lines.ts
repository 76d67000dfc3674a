import type { AuditLine } from '../books/audit-line.ts';
import { auditLines } from './audit-table.ts';
import type { Statement } from './port.ts';
import { insertOne } from './row-statement.ts';

/** Adds a line of the audit log, on either database. */
export const insertLine = insertOne(auditLines);

/** A line as a statement of its own: its values are bound when its place is known. */
export function insertAuditLine(line: AuditLine): Statement {
  return { sql: insertLine.sql, values: [], line };
}

/** The last line of the chain. */
export const selectHead = 'select seq, kid, hmac from audit_head where id = 1';

/** Makes another line the last one. */
export const moveHead = 'update audit_head set seq = $1, kid = $2, hmac = $3 where id = 1';

/** The last line of the chain, locked: the last of all locks, so who has it waits for no other. */
export const lockHead = 'select seq, kid, hmac from audit_head where id = 1 for update';
