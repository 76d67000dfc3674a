import pg from 'pg';
import type { SqlRow } from '../../port/port.ts';
import type { Messages } from './messages.ts';
import type { StatementNames } from './statement-names.ts';

export interface PipelineStatement {
  readonly statement: string;
  readonly values: readonly string[];
  readonly answer: { readonly rows: SqlRow[]; tag: string };
}

type Columns = readonly { readonly name: string; readonly isInteger: boolean }[];

export interface Wire {
  readonly client: pg.Client;
  readonly prepared: Map<string, Columns>;
  readonly messages: Messages;
  readonly names: StatementNames;
}

export async function sendAll(wire: Wire, statements: readonly PipelineStatement[]): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      wire.client.query(new PipelineQuery(wire, statements, done));
    });
  } catch (error) {
    wire.names.note(error);
    throw error;
  }
}

/**
 * The driver treats a pipeline as one query, with one end and one timer, and calls these methods by
 * name.
 */
class PipelineQuery extends pg.Query {
  readonly #wire: Wire;
  readonly #statements: readonly PipelineStatement[];
  readonly #isNamed: boolean;
  #next = 0;
  #columns: Columns | undefined;

  constructor(
    wire: Wire,
    statements: readonly PipelineStatement[],
    done: (error?: Error | null) => void,
  ) {
    super('', done);
    this.#wire = wire;
    this.#statements = statements;
    this.#isNamed = wire.names.isNamed();
  }

  override readonly submit = ({ stream }: pg.Connection) => {
    const { messages } = this.#wire;
    for (const { statement, values } of this.#statements) this.#write(statement, values);
    messages.sync();
    const bytes = messages.take();
    // A broken connection reports its own error.
    if (stream.writable) stream.write(bytes);
  };

  #write(statement: string, values: readonly string[]) {
    const { messages, names, prepared } = this.#wire;
    const name = this.#isNamed ? names.nameOf(statement) : '';
    if (!this.#isNamed || !prepared.has(statement)) {
      // After a failed pipeline, the statement may or may not exist.
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
    const current = this.#statements[this.#next];
    if (current === undefined) return;
    const columns = this.#columns ?? this.#wire.prepared.get(current.statement) ?? [];
    const row: Record<string, string | bigint | null> = {};
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index];
      if (column === undefined) continue;
      const value = fields[index] ?? null;
      row[column.name] = column.isInteger && value !== null ? BigInt(value) : value;
    }
    current.answer.rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }) {
    const current = this.#statements[this.#next];
    this.#next += 1;
    if (current === undefined) return;
    current.answer.tag = text;
    const { prepared } = this.#wire;
    if (this.#isNamed && !prepared.has(current.statement)) {
      prepared.set(current.statement, this.#columns ?? []);
    }
    this.#columns = undefined;
  }
}
