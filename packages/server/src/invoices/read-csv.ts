import { isUtcDay } from '../lib/clock.ts';
import { readAmount } from './amount.ts';
import { createCurReader, isCur } from './aws-cur.ts';
import { csvRows } from './csv.ts';
import { badField, InvoiceError } from './invoice-error.ts';
import type { ReadRow, Tally } from './tally.ts';

/**
 * The header decides: a part of Amazon's report, or `date,app,model,usd`. Throws an InvoiceError.
 */
export async function readCsv(where: string, text: AsyncIterable<string>, tally: Tally) {
  let width = 0;
  let read: ReadRow | undefined;
  for await (const { line, fields } of csvRows(where, text)) {
    const at = `${where}, line ${line}`;
    if (read === undefined) {
      width = fields.length;
      const create = isCur(fields) ? createCurReader : createUsageReader;
      read = create(where, fields, tally);
    } else if (fields.length === width) {
      read(at, fields);
    } else {
      const fix = 'put quotes around a field with a comma';
      throw new InvoiceError(
        `${at}: has ${fields.length} fields, but the header has ${width}; ${fix}`,
      );
    }
  }
  if (read === undefined) throw new InvoiceError(`${where}: is empty`);
}

const usdDigits = 12;

/** In any order. */
const columns = ['date', 'app', 'model', 'usd'] as const;

/**
 * An operator's file for any platform: USD by UTC day, app and model; equal keys are added up.
 * Throws an InvoiceError for a bad column or field.
 */
function createUsageReader(where: string, head: readonly string[], tally: Tally): ReadRow {
  const positions = columnPositions(where, head);
  return (at, fields) => {
    const [date = '', app = '', model = '', usd = ''] = positions.map((position) =>
      fields[position]?.trim(),
    );
    if (!isUtcDay(date))
      throw badField(at, 'date', date, 'is not a UTC day; use for example 2026-11-21');
    const amount = readAmount(usd, usdDigits);
    if (amount === undefined) {
      throw badField(at, 'usd', usd, 'is not an amount; use a decimal of USD such as 1234.56');
    }
    if (amount.isRounded) tally.round();
    tally.add({
      ...{ day: date, app, model, kind: 'tokens', tokenType: '', quantity: undefined },
      // An unknown app is shown with its name in the file.
      project: app,
      amount: amount.amount,
      tolerance: 0n,
    });
  };
}

function columnPositions(where: string, head: readonly string[]): readonly number[] {
  const names = head.map((name) => name.trim().toLowerCase());
  const fix = `the first line must have the columns ${columns.join(',')} in any order`;
  for (const name of columns) {
    const count = names.filter((other) => other === name).length;
    if (count === 1) continue;
    const what = count === 0 ? 'is missing' : `appears ${count} times`;
    throw new InvoiceError(`${where}, line 1: the column ${name} ${what}; ${fix}`);
  }
  const other = names.find((name) => !columns.some((known) => known === name));
  if (other !== undefined)
    throw badField(`${where}, line 1`, 'column', other, `is not read; ${fix}`);
  return columns.map((name) => names.indexOf(name));
}
