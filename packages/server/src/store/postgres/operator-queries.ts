import pg from 'pg';
import { type Query, type SqlRow, type Statement, StoreError } from '../port/port.ts';
import { connectionOptions } from './connection/connection.ts';
import { isStaleConnection, sqlStateOf } from './connection/failure.ts';

/** Read-only; neither calls nor commits wait for them. */
export interface OperatorQueries {
  read<T>(query: Query<T>): Promise<T>;
  close(): Promise<void>;
}

const connectionsMax = 2;
const triesMax = 3;
/** Statement timeouts: for whole tables, and for other queries. */
const longMs = 600_000;
const shortMs = 5_000;
/** After this, the connection counts as broken: a network may drop packets. */
const slackMs = 5_000;
const queryCanceled = '57014';

/**
 * Each transaction sets read-only and its timeout, because a pooler may use another connection for
 * each.
 */
export function createOperatorQueries(url: string): OperatorQueries {
  const options = { ...connectionOptions(url), application_name: 'model-gateway-readings' };
  const pool = new pg.Pool({ ...options, max: connectionsMax });
  pool.on('error', ignored);
  return { read, close: () => pool.end() };

  async function read<T>({ map, isLong, ...statement }: Query<T>): Promise<T> {
    const limitMs = isLong === true ? longMs : shortMs;
    for (let tries = 1; ; tries++) {
      try {
        return map(await readOnce(statement, limitMs));
      } catch (error) {
        if (sqlStateOf(error) === queryCanceled) throw tooLong(limitMs, error);
        if (tries === triesMax || !isStaleConnection(error)) throw error;
      }
    }
  }

  async function readOnce({ sql, values }: Statement, limitMs: number) {
    const client = await pool.connect();
    // Without a listener, a broken connection would end the process.
    client.on('error', ignored);
    const timeout = { query_timeout: limitMs + slackMs };
    try {
      const [, , { rows }] = await Promise.all([
        client.query({ ...timeout, text: begin }),
        client.query({ ...timeout, text: limit, values: [`${limitMs}`] }),
        client.query<SqlRow>({ ...timeout, text: sql, values: [...values] }),
        client.query({ ...timeout, text: 'commit' }),
      ]);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    } finally {
      client.removeListener('error', ignored);
    }
  }
}

const begin = 'begin transaction read only';
// JIT compilation takes longer than reading a month without it.
const limit = "select set_config('statement_timeout', $1, true), set_config('jit', 'off', true)";

function tooLong(limitMs: number, cause: unknown): StoreError {
  const seconds = limitMs / 1_000;
  return new StoreError(`the query took longer than ${seconds} s; request less`, { cause });
}

function ignored() {}
