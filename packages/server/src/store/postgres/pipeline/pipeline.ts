import pg from 'pg';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { SqlRow, SqlValue } from '../../port/port.ts';
import type { BothStatement, RowStatement } from '../../schema/row-statement.ts';
import { answerTimeoutMs, connectionOptions } from '../connection.ts';
import { columnText } from './array-text.ts';
import { Messages } from './messages.ts';
import { type Asked, sendAll, type Wire } from './pipeline-query.ts';
import { createStatementNames, type StatementNames } from './statement-names.ts';

// The one door of this folder: nothing else of it is imported from outside.

/** What the server answers to one statement: nothing until its round trip is over. */
export interface Answer {
  readonly rows: readonly SqlRow[];
  /** What was done, as the server tells it: `COMMIT`, `INSERT 0 3`. */
  readonly tag: string;
}

/** How each parameter of a statement is read from a row: it gets the values of all rows. */
export type Columns<Row> = readonly ((row: Row) => SqlValue)[];

/** Statements that go to the server in one piece, and whose answers come back together. */
export interface Pipeline {
  /** Adds a statement; `values` are the texts of its parameters. */
  query(statement: string, values?: readonly string[]): Answer;
  /** Adds a statement for these rows, with one array a column; nothing where there are none. */
  queryRows<Row>(statement: string, columns: Columns<Row>, rows: readonly Row[]): Answer;
  /** Adds what writes these rows. */
  writeRows<Row>(statement: RowStatement<Row>, rows: readonly Row[]): void;
  /** Adds what writes rows of two tables, of which each has some. */
  writeBoth<First, Second>(
    statement: BothStatement<First, Second>,
    first: readonly First[],
    second: readonly Second[],
  ): void;
  /**
   * Sends what was added. The first statement that fails ends the pipeline: the server does none of
   * those behind it.
   */
  flush(): Promise<void>;
}

/** An open connection, for transactions one after the other. */
export interface Session {
  /** Starts a pipeline, unsent, with what begins a transaction. */
  begin(): Pipeline;
  /** Starts a further pipeline of the transaction. */
  resume(): Pipeline;
  /** Gives the transaction up, and does not wait for it. */
  rollback(): void;
  /** Says that the connection is not to be used any more. */
  drop(): void;
}

/** A connection that is made when it is needed, and made anew after it was lost. */
export interface PipelineConnection {
  /** The connection, or why the server cannot be reached. */
  open(): Promise<Session | { readonly error: unknown }>;
  close(): Promise<void>;
}

/** What connections have in common. */
export interface PipelineParts {
  readonly url: string;
  /** The statements that begin a transaction. */
  readonly begin: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the server is found away, or a connection broken. */
  readonly onLost: () => void;
}

/** After a connection could not be made, the next ones fail at once for so long. */
const awayMs = 200;

/** Makes connections; where one finds that prepared statements get lost, all prepare none. */
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
    // All that wait should hear soon that the store is away, not one after the other.
    if (away !== undefined && clock.monotonic() < away.untilMs) return away;
    const client = new pg.Client({ ...connectionOptions(url), query_timeout: answerTimeoutMs });
    // A connection that breaks while nothing waits for it says so here; the next batch finds out.
    client.on('error', () => undefined);
    client.on('end', () => forget(client));
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
    forget(client);
    client.end().catch(() => undefined);
  }

  function forget(client: pg.Client) {
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
    // A connection that cannot even roll back is broken, and the next batch will say so.
    rollback: () => void wire.client.query('rollback').catch(() => undefined),
    drop,
  };
}

const nothing: Answer = { rows: [], tag: '' };

function createPipeline(wire: Wire): Pipeline {
  const asked: Asked[] = [];
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
    flush: () => sendAll(wire, asked),
  };

  function query(statement: string, values: readonly string[] = []): Answer {
    const answer = { rows: [], tag: '' };
    asked.push({ statement, values, answer });
    return answer;
  }
}

function columnsOf<Row>({ bind, width }: RowStatement<Row>, rows: readonly Row[]): string[] {
  const bound = rows.map(bind);
  const valueAt = (index: number) => columnText(bound, (values) => values[index] ?? null);
  return Array.from({ length: width }, (_, index) => valueAt(index));
}
