import type { AuditEntry } from '../context/audited-change.ts';

/** `none` replaces an empty table. The columns titled in `numbers` align at the decimal point. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
  numbers: readonly string[] = [],
): readonly string[] {
  if (rows.length === 0) return [none];
  const shown = [head, ...rows].map((row) => row.map(printable));
  const cells = alignNumbers(shown, numbers);
  const widths = head.map((_title, column) => widest(cells, (row) => (row[column] ?? '').length));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Avoids `Math.max(...rows)`: a call's argument limit is lower than some row counts. */
function widest<Row>(rows: readonly Row[], widthOf: (row: Row) => number): number {
  return rows.reduce((width, row) => Math.max(width, widthOf(row)), 0);
}

function alignNumbers(
  rows: readonly (readonly string[])[],
  titles: readonly string[],
): readonly (readonly string[])[] {
  const [head = [], ...data] = rows;
  const widths = head.map((title, column) => {
    if (!titles.includes(title)) return undefined;
    const parts = data.map((row) => splitAtPoint(row[column] ?? ''));
    const after = widest(parts, ([, fraction]) => fraction.length);
    const before = Math.max(
      widest(parts, ([whole]) => whole.length),
      title.length - after,
    );
    return { before, after };
  });
  const aligned = (row: readonly string[]) =>
    row.map((cell, column) => {
      const width = widths[column];
      if (width === undefined) return cell;
      if (row === head) return cell.padStart(width.before + width.after);
      const [whole, fraction] = splitAtPoint(cell);
      return whole.padStart(width.before) + fraction.padEnd(width.after);
    });
  return rows.map(aligned);
}

function splitAtPoint(cell: string): readonly [string, string] {
  const point = cell.indexOf('.');
  return point === -1 ? [cell, ''] : [cell.slice(0, point), cell.slice(point)];
}

/** One fact per line; names form a column. */
export function factLines(facts: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`.trimEnd());
}

export function dollars(usd: string): string {
  return usd.startsWith('-') ? `-$${usd.slice(1)}` : `$${usd}`;
}

/** `none`: the text for a missing amount. */
export function dollarsOr(usd: string | null, none: string): string {
  return usd === null ? none : dollars(usd);
}

export const sameReference =
  'Nothing changed: this reference was already used for the same amount.';

export function yesNo(fact: boolean): string {
  return fact ? 'yes' : 'no';
}

/**
 * Names come from outside: � replaces control characters and direction marks, which could disguise
 * a line.
 */
export function printable(text: string): string {
  return text.replaceAll(steering, '�');
}

const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

export function planLines(changes: readonly AuditEntry[]): readonly string[] {
  return tableLines(
    ['action', 'subject', 'before', 'after'],
    changes.map(({ action, subject, before, after }) => [
      ...[action, subject, before ?? '', after ?? ''],
    ]),
    'No changes.',
  );
}
