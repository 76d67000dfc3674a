import Type from 'typebox';
import { changed, changing, confirming, line, reason } from '../change-shapes.ts';
import { count, type Document, day, nullable, usd } from '../shapes.ts';

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

/** The query of a raw file of `POST /reconcile/import`: one whole file, with its month. */
export const RawInvoice = Type.Object(
  {
    platform: Type.Optional(Type.String({ description: 'Of a raw file: whose invoice it is' })),
    month: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$',
        rule: 'a UTC month such as 2026-11',
        description: 'Of a raw file: the UTC month that all its rows are of, such as 2026-11',
      }),
    ),
    reason: Type.Optional(reason),
    dryRun: Type.Optional(Type.Enum(['true', 'false'])),
  },
  { additionalProperties: false },
);

/** That query. */
export type RawInvoice = Document<typeof RawInvoice>;

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
