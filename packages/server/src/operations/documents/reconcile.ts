import Type from 'typebox';
import { type Changed, count, type Document, day, nullable, pageOf, usd } from './shapes.ts';

export const ReconciledDocument = Type.Object({
  platform: Type.String(),
  day,
  /** Null for amounts without an app. */
  app: nullable(Type.String()),
  projects: Type.Array(Type.String()),
  /** Null where the platform omits it. */
  model: nullable(Type.String()),
  exactUsd: usd,
  estimatedUsd: usd,
  /** Calls that ended so near midnight that the platform may bill them on the other day. */
  bandUsd: usd,
  invoiceUsd: usd,
  differenceUsd: usd,
  verdict: Type.Enum(['equal', 'explained', 'over', 'under', 'untagged', 'foreign', 'open']),
  isFinal: Type.Boolean(),
});
export type ReconciledDocument = Document<typeof ReconciledDocument>;
export const ReconciledDocuments = Type.Array(ReconciledDocument);

export const ReconciledPage = pageOf(ReconciledDocument);
export type ReconciledPage = Document<typeof ReconciledPage>;

export const ImportedInvoice = Type.Object({
  platform: Type.String(),
  days: Type.Array(day),
  changedDays: Type.Array(day),
  lines: count,
  totalUsd: usd,
  /** Amounts with more than 12 decimals, rounded half up. */
  roundedAmounts: count,
  /** Rows without model usage. */
  skippedRows: count,
  sourceHash: Type.String(),
  isRepeated: Type.Boolean({ description: 'Whether these files were already imported' }),
});
export type ImportedInvoice = Document<typeof ImportedInvoice>;
export type InvoiceImported = Changed<typeof ImportedInvoice>;

export const SettledDocument = Type.Object({
  platform: Type.String(),
  day,
  app: Type.String(),
  /** Null where the platform omits it. */
  model: nullable(Type.String()),
  calls: count,
  beforeUsd: usd,
  afterUsd: usd,
});
export type SettledDocument = Document<typeof SettledDocument>;
export const SettledDocuments = Type.Array(SettledDocument);
export type DaySettled = Changed<typeof SettledDocuments>;
