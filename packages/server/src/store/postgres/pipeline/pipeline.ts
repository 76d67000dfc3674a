import pg from 'pg';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { SqlRow, SqlValue } from '../../port/port.ts';
import type { BothStatement, RowStatement } from '../../schema/row-statement.ts';
import { answerTimeoutMs, connectionOptions } from '../connection/connection.ts';
import { Messages } from './messages.ts';
import { type PipelineStatement, sendAll, type Wire } from './pipeline-query.ts';
import { createStatementNames, type StatementNames } from './statement-names.ts';

// The folder's only entry point: other files import nothing else from it.

/** Empty until its round trip is over. */
export interface Answer {
  readonly rows: readonly SqlRow[];
  /** For example `COMMIT`, `INSERT 0 3`. */
  readonly tag: string;
}

export type Columns<Row> = readonly ((row: Row) => SqlValue)[];

export interface Pipeline {
  query(statement: string, values?: readonly string[]): Answer;
  /** One array per column. Sends nothing without rows. */
  queryRows<Row>(statement: string, columns: Columns<Row>, rows: readonly Row[]): Answer;
  writeRows<Row>(statement: RowStatement<Row>, rows: readonly Row[]): void;
  /** Both tables must have rows. */
  writeBoth<First, Second>(
    statement: BothStatement<First, Second>,
    first: readonly First[],
    second: readonly Second[],
  ): void;
  /** The pipeline ends at the first failed statement: the server runs none after it. */
  flush(): Promise<void>;
}

export interface Session {
  /** Not yet sent; includes the statements that begin a transaction. */
  begin(): Pipeline;
  resume(): Pipeline;
  rollback(): void;
  /** The connection must not be used again. */
  drop(): void;
}

/** Opened on first use, and again after a loss. */
export interface PipelineConnection {
  /** `error`: why the server cannot be reached. */
  open(): Promise<Session | { readonly error: unknown }>;
  close(): Promise<void>;
}

export interface PipelineParts {
  readonly url: string;
  readonly begin: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** The server is unavailable, or a connection broke. */
  readonly onLost: () => void;
}

/** After a failed connection, the next ones fail at once for this long. */
const awayMs = 200;

/** If one connection loses prepared statements, none of them prepares any. */
export function createPipelineConnections(parts: PipelineParts): () => PipelineConnection {
  const names = createStatementNames(parts.log);
  return () => createConnection(parts, names);
}

function createConnection(parts: PipelineParts, names: StatementNames): PipelineConnection {
  const { url, begin, clock, onLost } = parts;
  let current: { readonly client: pg.Client; readonly session: Session } | undefined;
  let away: { readonly error: unknown; readonly untilMs: number } | undefined;
  return { open, close: async () => current?.client.end() };

  async function open() {
    if (current !== undefined) return current.session;
    // All waiting callers must learn soon that the store is unavailable, not one after the other.
    if (away !== undefined && clock.monotonic() < away.untilMs) return away;
    const client = new pg.Client({ ...connectionOptions(url), query_timeout: answerTimeoutMs });
    // An idle connection that breaks reports here; the next batch finds out.
    client.on('error', () => undefined);
    client.on('end', () => clearCurrent(client));
    try {
      await client.connect();
    } catch (error) {
      away = { error, untilMs: clock.monotonic() + awayMs };
      onLost();
      return away;
    }
    const wire = { client, prepared: new Map(), messages: new Messages(), names };
    current = { client, session: createSession(wire, begin, () => drop(client)) };
    return current.session;
  }

  function drop(client: pg.Client) {
    clearCurrent(client);
    client.end().catch(() => undefined);
  }

  function clearCurrent(client: pg.Client) {
    if (current?.client !== client) return;
    current = undefined;
    onLost();
  }
}

function createSession(wire: Wire, begin: readonly string[], drop: () => void): Session {
  return {
    begin() {
      const pipeline = createPipeline(wire);
      for (const statement of begin) pipeline.query(statement);
      return pipeline;
    },
    resume: () => createPipeline(wire),
    // A connection that cannot even roll back is broken, and the next batch reports it.
    rollback: () => void wire.client.query('rollback').catch(() => undefined),
    drop,
  };
}

const nothing: Answer = { rows: [], tag: '' };

function createPipeline(wire: Wire): Pipeline {
  const statements: PipelineStatement[] = [];
  return {
    query,
    queryRows(statement, columns, rows) {
      if (rows.length === 0) return nothing;
      return query(
        statement,
        columns.map((column) => columnText(rows, column)),
      );
    },
    writeRows(statement, rows) {
      if (rows.length > 0) query(statement.sql, columnsOf(statement, rows));
    },
    writeBoth({ sql, parts: [one, other] }, first, second) {
      query(sql, [...columnsOf(one, first), ...columnsOf(other, second)]);
    },
    flush: () => sendAll(wire, statements),
  };

  function query(statement: string, values: readonly string[] = []): Answer {
    const answer = { rows: [], tag: '' };
    statements.push({ statement, values, answer });
    return answer;
  }
}

function columnsOf<Row>({ bind, width }: RowStatement<Row>, rows: readonly Row[]): string[] {
  const bound = rows.map(bind);
  const valueAt = (index: number) => columnText(bound, (values) => values[index] ?? null);
  return Array.from({ length: width }, (_, index) => valueAt(index));
}

const hasSpecial = /["\\]/;
const special = /["\\]/g;

/** An array's text. Source: PostgreSQL manual, section 8.15.6. */
function columnText<Row>(rows: readonly Row[], column: (row: Row) => SqlValue): string {
  let text = '{';
  // Values repeat within a batch's column: its calls share a day, and usually an app and model.
  let last: SqlValue | undefined;
  let lastText = '';
  for (const row of rows) {
    const value = column(row);
    if (value !== last) lastText = elementText(value);
    last = value;
    text += text.length > 1 ? `,${lastText}` : lastText;
  }
  return `${text}}`;
}

function elementText(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'string') return `${value}`;
  return hasSpecial.test(value) ? `"${value.replace(special, '\\$&')}"` : `"${value}"`;
}
