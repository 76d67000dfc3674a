import Type from 'typebox';
import { type Document, day, nullable, pageOf, usd } from '../shapes.ts';

/** A platform's invoice of an app, a day and a model beside the books. */
export const ReconciledDocument = Type.Object({
  platform: Type.String(),
  day,
  app: nullable(Type.String()),
  projects: Type.Array(Type.String()),
  model: nullable(Type.String()),
  exactUsd: usd,
  estimatedUsd: usd,
  bandUsd: usd,
  invoiceUsd: usd,
  differenceUsd: usd,
  verdict: Type.Enum(['equal', 'explained', 'over', 'under', 'untagged', 'foreign', 'open']),
  isFinal: Type.Boolean(),
});
export type ReconciledDocument = Document<typeof ReconciledDocument>;

/** `GET /reconcile`. */
export const ReconciledPage = pageOf(ReconciledDocument);
export type ReconciledPage = Document<typeof ReconciledPage>;
