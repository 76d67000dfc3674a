import type { SqlValue } from '../port.ts';

const hasSpecial = /["\\]/;
const special = /["\\]/g;

/** Values as the text of a PostgreSQL array. Source: PostgreSQL manual, section 8.15.6. */
export function arrayText(values: readonly SqlValue[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value !== 'string') text += value;
    else text += hasSpecial.test(value) ? `"${value.replace(special, '\\$&')}"` : `"${value}"`;
  }
  return `${text}}`;
}
