import { createCurReader, isCur } from './aws-cur.ts';
import { csvRows } from './csv.ts';
import { InvoiceError } from './invoice-error.ts';
import type { ReadRow } from './read-row.ts';
import type { Tally } from './tally.ts';
import { createUsageReader } from './usage-csv.ts';

/** Its head decides: a part of Amazon's report, or `date,app,model,usd`. Throws an InvoiceError. */
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
      const fix = 'quote a field that holds a comma';
      throw new InvoiceError(`${at}: has ${fields.length} fields, the head has ${width}; ${fix}`);
    }
  }
  if (read === undefined) throw new InvoiceError(`${where}: is empty`);
}
