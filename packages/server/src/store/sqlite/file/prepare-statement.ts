import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A statement with `$1` for its first value; its integers are read as bigint. */
export function prepareStatement(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(withPlaces(sql));
  statement.setReadBigInts(true);
  return statement;
}

/**
 * The statement with `?` for `$1`, or with `?1` where its values do not come in their order. For
 * each value that is bound the driver asks for its parameter's name, and those of `?1` are a list.
 */
function withPlaces(sql: string): string {
  const numbers = [...sql.matchAll(parameter)].map(([, number]) => Number(number));
  const isInOrder = numbers.every((number, index) => number === index + 1);
  return sql.replaceAll(parameter, isInOrder ? '?' : '?$1');
}

const parameter = /\$(\d+)/g;
