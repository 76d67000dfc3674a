import pg from 'pg';
import type { SqlRow } from '../../port/port.ts';
import type { Messages } from './messages.ts';
import type { StatementNames } from './statement-names.ts';

/** A statement on its way, and what came back so far. */
export interface Asked {
  readonly statement: string;
  readonly values: readonly string[];
  readonly answer: { readonly rows: SqlRow[]; tag: string };
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
  readonly names: StatementNames;
}

/** Sends statements in one piece; resolves when the server has answered all of them. */
export async function sendAll(wire: Wire, asked: readonly Asked[]): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      wire.client.query(new PipelineQuery(wire, asked, done));
    });
  } catch (error) {
    wire.names.note(error);
    throw error;
  }
}

/**
 * To the driver all statements of a pipeline are one query: it waits for one end, with one timer.
 * The driver calls these methods by their names.
 */
class PipelineQuery extends pg.Query {
  readonly #wire: Wire;
  readonly #asked: readonly Asked[];
  readonly #isNamed: boolean;
  /** The statement whose answer is read next, and the columns it was described with. */
  #next = 0;
  #columns: Columns | undefined;

  constructor(wire: Wire, asked: readonly Asked[], done: (error?: Error | null) => void) {
    super('', done);
    this.#wire = wire;
    this.#asked = asked;
    this.#isNamed = wire.names.isNamed();
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
    const { messages, names, prepared } = this.#wire;
    const name = this.#isNamed ? names.nameOf(statement) : '';
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
