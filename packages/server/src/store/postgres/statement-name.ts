import { hash } from 'node:crypto';

const names = new Map<string, string>();

/**
 * The name of a prepared statement. It is made of its text, so that behind a pooler the same name
 * is the same statement for every process and every version.
 */
export function nameOf(statement: string): string {
  const known = names.get(statement);
  if (known !== undefined) return known;
  const name = `mg_${hash('sha256', statement).slice(0, 24)}`;
  names.set(statement, name);
  return name;
}
