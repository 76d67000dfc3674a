import type { SqlValue } from '../../port/port.ts';

const hasSpecial = /["\\]/;
const special = /["\\]/g;

/** As an array's text. Source: PostgreSQL manual, section 8.15.6. */
export function columnText<Row>(rows: readonly Row[], column: (row: Row) => SqlValue): string {
  let text = '{';
  // A column of a batch repeats itself: its calls are of one day, and mostly of one app and model.
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
