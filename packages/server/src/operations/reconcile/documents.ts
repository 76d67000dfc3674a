import Type from 'typebox';
import type { Changed } from '../change-shapes.ts';
import { count, type Document, day, nullable, pageOf, usd } from '../shapes.ts';

/** A platform's invoice of an app, a day and a model beside the books. */
export const ReconciledDocument = Type.Object({
  platform: Type.String(),
  day,
  /** Null for what is no app's. */
  app: nullable(Type.String()),
  projects: Type.Array(Type.String()),
  /** Null where the platform does not name it. */
  model: nullable(Type.String()),
  exactUsd: usd,
  estimatedUsd: usd,
  /** The cost of calls that ended so near to midnight that it may be on the other day. */
  bandUsd: usd,
  invoiceUsd: usd,
  /** The invoice less the booked amount. */
  differenceUsd: usd,
  verdict: Type.Enum(['equal', 'explained', 'over', 'under', 'untagged', 'foreign', 'open']),
  isFinal: Type.Boolean(),
});
export type ReconciledDocument = Document<typeof ReconciledDocument>;
export const ReconciledDocuments = Type.Array(ReconciledDocument);

/** `GET /reconcile`. */
export const ReconciledPage = pageOf(ReconciledDocument);
export type ReconciledPage = Document<typeof ReconciledPage>;

/** The result of an import. */
export const ImportedInvoice = Type.Object({
  platform: Type.String(),
  days: Type.Array(day),
  /** Those of the days whose figure is another one now. */
  changedDays: Type.Array(day),
  lines: count,
  totalUsd: usd,
  /** Amounts with more than 12 decimals, which were rounded half up. */
  roundedAmounts: count,
  /** Rows that are no usage of models. */
  skippedRows: count,
  sourceHash: Type.String(),
  isRepeated: Type.Boolean({ description: 'These files were imported before' }),
});
export type ImportedInvoice = Document<typeof ImportedInvoice>;
export type InvoiceImported = Changed<typeof ImportedInvoice>;

/** The new amount of a day's estimates of an app and a model. */
export const SettledDocument = Type.Object({
  platform: Type.String(),
  day,
  app: Type.String(),
  /** Null where the platform does not name it. */
  model: nullable(Type.String()),
  /** Calls with estimates. */
  calls: count,
  beforeUsd: usd,
  afterUsd: usd,
});
export type SettledDocument = Document<typeof SettledDocument>;
export const SettledDocuments = Type.Array(SettledDocument);
export type DaySettled = Changed<typeof SettledDocuments>;
