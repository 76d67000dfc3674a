import pg from 'pg';
import type { AuditLine } from '../../books/audit-line.ts';
import {
  isDecided,
  type Query,
  type SqlRow,
  type SqlValue,
  type Statement,
  StoreError,
} from '../port/port.ts';
import { bindHead, type ChainedLine, chained, headOf } from '../schema/audit-chain.ts';
import { insertLine, lockHead, moveHead } from '../schema/audit-lines.ts';
import { lockBudgets } from './budgets-lock.ts';
import type { LineParts } from './commit.ts';
import { answerTimeoutMs, connectionOptions } from './connection/connection.ts';
import { isConflict, isRolledBack, isStaleConnection } from './connection/failure.ts';
import type { ConnectionHealth } from './connection-health.ts';

/** For all but batches and quota: short reads, and the operator's changes. */
export interface Pool {
  read<T>(query: Query<T>): Promise<T>;
  write(statements: readonly Statement[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

const connectionsMax = 4;
/** Retries only if certainly nothing was done. */
const triesMax = 3;

interface PoolParts extends LineParts {
  readonly url: string;
  readonly begin: string;
  readonly health: ConnectionHealth;
}

export function createPool(parts: PoolParts): Pool {
  const { url, health } = parts;
  const options = { ...connectionOptions(url), query_timeout: answerTimeoutMs };
  const pool = new pg.Pool({ ...options, max: connectionsMax });
  pool.on('error', ignored);
  return { write, read: async (query) => query.map(await read(query)), close: () => pool.end() };

  async function read({ sql, values }: Statement) {
    const query = { text: sql, values: [...values] };
    for (let tries = 1; ; tries++) {
      try {
        const { rows } = await pool.query<SqlRow>(query);
        return rows;
      } catch (error) {
        note(error);
        if (tries === triesMax || !isStaleConnection(error)) throw error;
      }
    }
  }

  function note(error: unknown) {
    if (!isRolledBack(error)) health.markLost();
  }

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      note(error);
      throw error;
    }
  }

  async function write(statements: readonly Statement[]): Promise<readonly number[]> {
    for (let tries = 1; ; tries++) {
      const client = await connect();
      // Without a listener, a broken connection would end the process.
      client.on('error', ignored);
      const transaction = createTransaction(client, parts, statements);
      try {
        const counts = await transaction.run();
        client.release();
        return counts;
      } catch (error) {
        client.release(true);
        note(error);
        const isHarmless = isConflict(error) || isStaleConnection(error);
        if (tries === triesMax || transaction.isCommitting() || !isHarmless) throw error;
      } finally {
        client.removeListener('error', ignored);
      }
    }
  }
}

function ignored() {}

/**
 * Two round trips: the commit is sent separately. Audit lines are last and cost two more, because
 * their head is the last of all locks.
 */
function createTransaction(
  client: pg.PoolClient,
  { begin, ring, onLines }: PoolParts,
  statements: readonly Statement[],
) {
  let isCommitting = false;
  return { run, isCommitting: () => isCommitting };

  async function run(): Promise<readonly number[]> {
    const before = statements.some(({ locksBudgets }) => locksBudgets)
      ? [begin, lockBudgets]
      : [begin];
    const pending = before.map((text) => query(text));
    for (const { sql, values, line, locksRows } of statements) {
      const text = locksRows ? `${sql} for update` : sql;
      // A line is one row, whatever else the statement writes.
      pending.push(line === undefined ? query(text, values) : Promise.resolve(1));
    }
    const counts = (await Promise.all(pending)).slice(before.length);
    if (!isDecided(statements, counts)) {
      await query('rollback');
      return counts;
    }
    const lines = await writeLines(statements.flatMap(({ line }) => line ?? []));
    isCommitting = true;
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new StoreError(`the commit returned ${command}`);
    if (lines.length > 0) onLines(lines);
    return counts;
  }

  async function writeLines(lines: readonly AuditLine[]): Promise<readonly ChainedLine[]> {
    if (lines.length === 0) return [];
    const { rows } = await client.query<SqlRow>(lockHead);
    const next = chained(headOf(rows[0]), lines, ring);
    const pending = next.lines.map((line) => query(insertLine.sql, insertLine.bind(line)));
    await Promise.all([...pending, query(moveHead, bindHead(next.head))]);
    return next.lines;
  }

  async function query(text: string, values: readonly SqlValue[] = []): Promise<number> {
    const { rowCount } = await client.query(text, [...values]);
    return rowCount ?? 0;
  }
}
