import pg from 'pg';
import type { SqlRow } from '../../port.ts';
import type { Messages } from './messages.ts';
import { nameOf } from './statement-name.ts';

/** What the server answers to one statement: nothing until its round trip is over. */
export interface Answer {
  readonly rows: readonly SqlRow[];
  /** What was done, as the server tells it: `COMMIT`, `INSERT 0 3`. */
  readonly tag: string;
}

/** A statement on its way, and what came back so far. */
interface Asked {
  readonly statement: string;
  readonly values: readonly string[];
  readonly answer: { readonly rows: SqlRow[]; tag: string };
}

/** Statements that go to the server in one piece, and whose answers come back together. */
export interface Pipeline {
  /** Adds a statement; `values` are the texts of its parameters. */
  query(statement: string, values?: readonly string[]): Answer;
  /**
   * Sends what was asked. The first statement that fails ends the pipeline: the server does none of
   * those behind it.
   */
  flush(): Promise<void>;
}

/** The columns of a statement's rows, as the server described them. */
type Columns = readonly { readonly name: string; readonly isInteger: boolean }[];

/** A connection in pipeline mode, and what is known of it. */
export interface Wire {
  readonly client: pg.Client;
  /** The statements that it has prepared, by their text, with the columns of their rows. */
  readonly prepared: Map<string, Columns>;
  /** Where messages are written before they are sent. */
  readonly messages: Messages;
}

/** Begins a pipeline, unsent. `isNamed` is false where prepared statements get lost. */
export function createPipeline(wire: Wire, { isNamed }: { readonly isNamed: boolean }): Pipeline {
  const asked: Asked[] = [];
  return {
    query(statement, values = []) {
      const answer = { rows: [], tag: '' };
      asked.push({ statement, values, answer });
      return answer;
    },
    flush: () =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null) => (error ? reject(error) : resolve());
        wire.client.query(new Statements(wire, asked, isNamed, done));
      }),
  };
}

/**
 * To the driver all statements of a pipeline are one query: it waits for one end, with one timer.
 * The driver calls these methods by their names.
 */
class Statements extends pg.Query {
  readonly #wire: Wire;
  readonly #asked: readonly Asked[];
  readonly #isNamed: boolean;
  /** The statement whose answer is read next, and the columns it was described with. */
  #next = 0;
  #columns: Columns | undefined;

  constructor(
    wire: Wire,
    asked: readonly Asked[],
    isNamed: boolean,
    done: (error?: Error | null) => void,
  ) {
    super('', done);
    this.#wire = wire;
    this.#asked = asked;
    this.#isNamed = isNamed;
  }

  override readonly submit = ({ stream }: pg.Connection) => {
    const { messages } = this.#wire;
    for (const { statement, values } of this.#asked) this.#write(statement, values);
    messages.sync();
    const bytes = messages.take();
    // A connection that has broken says so by itself.
    if (stream.writable) stream.write(bytes);
  };

  #write(statement: string, values: readonly string[]) {
    const { messages, prepared } = this.#wire;
    const name = this.#isNamed ? nameOf(statement) : '';
    if (!this.#isNamed || !prepared.has(statement)) {
      // A pipeline that failed may have left the statement there, or not.
      if (this.#isNamed) messages.close(name);
      messages.parse(name, statement);
      messages.describe(name);
    }
    messages.run(name, values);
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }) {
    this.#columns = fields.map(({ name, dataTypeID }) => {
      return { name, isInteger: dataTypeID === pg.types.builtins.INT8 };
    });
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }) {
    const asked = this.#asked[this.#next];
    if (asked === undefined) return;
    const columns = this.#columns ?? this.#wire.prepared.get(asked.statement) ?? [];
    const row: Record<string, string | bigint | null> = {};
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index];
      if (column === undefined) continue;
      const value = fields[index] ?? null;
      row[column.name] = column.isInteger && value !== null ? BigInt(value) : value;
    }
    asked.answer.rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }) {
    const asked = this.#asked[this.#next];
    this.#next += 1;
    if (asked === undefined) return;
    asked.answer.tag = text;
    const { prepared } = this.#wire;
    if (this.#isNamed && !prepared.has(asked.statement)) {
      prepared.set(asked.statement, this.#columns ?? []);
    }
    this.#columns = undefined;
  }
}
