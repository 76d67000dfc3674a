import type { AuditLine } from '../books/audit-line.ts';
import { auditLines } from './audit-table.ts';
import type { Statement } from './port.ts';
import { insertOne } from './row-statement.ts';

/** Adds a line of the audit log, on either database. */
export const insertLine = insertOne(auditLines);

/** The line as a statement of its own. */
export function insertAuditLine(line: AuditLine): Statement {
  return { sql: insertLine.sql, values: insertLine.bind(line) };
}
