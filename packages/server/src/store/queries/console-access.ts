import type { Query, Statement } from '../port/port.ts';
import {
  adminTokens,
  consoleCodes,
  consoleSessions,
  type StoredCode,
  type StoredSession,
  type StoredToken,
} from '../schema/console-tables.ts';
import { insertOne } from '../schema/row-statement.ts';

/** Maximum time without a request. */
export const idleMs = 3_600_000;

const insertCodeRow = insertOne(consoleCodes);
const insertSessionRow = insertOne(consoleSessions);
const insertTokenRow = insertOne(adminTokens);

export function insertCode(row: StoredCode): Statement {
  return { sql: insertCodeRow.sql, values: insertCodeRow.bind(row) };
}

export function insertSession(row: StoredSession): Statement {
  return { sql: insertSessionRow.sql, values: insertSessionRow.bind(row) };
}

export function insertToken(row: StoredToken): Statement {
  return { sql: insertTokenRow.sql, values: insertTokenRow.bind(row) };
}

export function selectCode(id: string): Query<StoredCode | undefined> {
  return {
    sql: 'select * from console_code where id = $1',
    values: [id],
    map: ([row]) => row && consoleCodes.read(row),
  };
}

/** If two try, only one matches its row. */
export function spendCode(id: string): Statement {
  return { sql: 'delete from console_code where id = $1', values: [id], abortIfNoRows: true };
}

export function deleteEnded(now: number): readonly Statement[] {
  return [
    { sql: 'delete from console_code where expires_at <= $1', values: [now] },
    {
      sql: 'delete from console_session where expires_at <= $1 or seen_at <= $2',
      values: [now, now - idleMs],
    },
  ];
}

export function selectSession(id: string): Query<StoredSession | undefined> {
  return {
    sql: 'select * from console_session where id = $1',
    values: [id],
    map: ([row]) => row && consoleSessions.read(row),
  };
}

/** Newest first. */
export const selectSessions: Query<readonly StoredSession[]> = {
  sql: 'select * from console_session order by created_at desc, id limit 1000',
  values: [],
  map: (rows) => rows.map(consoleSessions.read),
};

export function touchSession(id: string, now: number): Statement {
  return {
    sql: 'update console_session set seen_at = $2 where id = $1 and seen_at < $2',
    values: [id, now],
  };
}

/** For a login; the session may already be deleted. */
export function replaceSession(id: string): Statement {
  return { sql: 'delete from console_session where id = $1', values: [id] };
}

export function deleteSession(id: string): Statement {
  return { sql: 'delete from console_session where id = $1', values: [id], abortIfNoRows: true };
}

/** A company login's by hash, a link's by the operator's name. */
export function selectSessionsOf(
  name: string,
  person: string | undefined,
): Query<readonly StoredSession[]> {
  return {
    sql: 'select * from console_session where person = $2 or ($2 is null and person is null and name = $1)',
    values: [name, person ?? null],
    map: (rows) => rows.map(consoleSessions.read),
  };
}

export function selectToken(id: string): Query<StoredToken | undefined> {
  return {
    sql: 'select * from admin_token where id = $1',
    values: [id],
    map: ([row]) => row && adminTokens.read(row),
  };
}

/** Newest first. */
export const selectTokens: Query<readonly StoredToken[]> = {
  sql: 'select * from admin_token order by created_at desc, id limit 1000',
  values: [],
  map: (rows) => rows.map(adminTokens.read),
};

export function disableTokenRow(id: string): Statement {
  return {
    sql: 'update admin_token set enabled = 0 where id = $1 and enabled = 1',
    values: [id],
    abortIfNoRows: true,
  };
}
