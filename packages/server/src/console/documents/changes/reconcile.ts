import Type from 'typebox';
import { count, type Document, day, nullable, usd } from '../shapes.ts';
import { changed, changing, confirming, line } from './shapes.ts';

const name = line(255, 'Its file name');

/** `POST /reconcile/import`: every part of a platform's invoice, in order; ≤ 20 MB in all. */
export const InvoiceUpload = changing({
  platform: Type.String(),
  files: Type.Array(
    Type.Union([
      Type.Object({ name, text: Type.String() }, { additionalProperties: false }),
      Type.Object(
        { name, base64: Type.String({ description: 'The bytes, for what is compressed' }) },
        { additionalProperties: false },
      ),
    ]),
    { minItems: 1, maxItems: 100 },
  ),
});
export type InvoiceUpload = Document<typeof InvoiceUpload>;

/** `POST /reconcile/fetch`: both days included. */
export const InvoiceFetch = changing({ platform: Type.String(), from: day, to: day });
export type InvoiceFetch = Document<typeof InvoiceFetch>;

/** What an import came to. */
export const InvoiceImported = changed(
  Type.Object({
    platform: Type.String(),
    days: Type.Array(day),
    changedDays: Type.Array(day),
    lines: count,
    totalUsd: usd,
    roundedAmounts: count,
    skippedRows: count,
    sourceHash: Type.String(),
    isRepeated: Type.Boolean({ description: 'These files were imported before' }),
  }),
);
export type InvoiceImported = Document<typeof InvoiceImported>;

/** `POST /reconcile/settle`; `confirm` is the day. */
export const Settlement = confirming({ day });
export type Settlement = Document<typeof Settlement>;

/** What estimates of a final day are booked with. */
export const DaySettled = changed(
  Type.Array(
    Type.Object({
      platform: Type.String(),
      day,
      app: Type.String(),
      model: nullable(Type.String()),
      calls: count,
      beforeUsd: usd,
      afterUsd: usd,
    }),
  ),
);
export type DaySettled = Document<typeof DaySettled>;
