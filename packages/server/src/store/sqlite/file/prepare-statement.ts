import type { DatabaseSync, StatementSync } from 'node:sqlite';

export function prepareStatement(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(withSqliteParameters(sql));
  statement.setReadBigInts(true);
  return statement;
}

/**
 * `?` for `$1`, or `?1` for values out of order. The driver looks up each bound parameter's name;
 * for `?1`, in a list.
 */
function withSqliteParameters(sql: string): string {
  const numbers = [...sql.matchAll(parameter)].map(([, number]) => Number(number));
  const isInOrder = numbers.every((number, index) => number === index + 1);
  return sql.replaceAll(parameter, isInOrder ? '?' : '?$1');
}

const parameter = /\$(\d+)/g;
