import Type from 'typebox';
import { changed } from './change-shapes.ts';
import { type Document, instant, nullable, pageOf, usd } from './shapes.ts';

export const RunDocument = Type.Object({
  id: Type.String(),
  app: Type.String(),
  label: nullable(Type.String()),
  userId: Type.Union([Type.String(), Type.Null()], { description: 'Masked for viewers' }),
  parentKeyId: Type.String(),
  models: nullable(Type.Array(Type.String())),
  maxCostUsd: usd,
  spentUsd: usd,
  heldUsd: usd,
  remainingUsd: usd,
  createdAt: instant,
  expiresAt: instant,
  endedAt: nullable(instant),
});
export type RunDocument = Document<typeof RunDocument>;

/** Newest first. */
export const RunDocuments = Type.Array(RunDocument);

/** `GET /runs`: open ones, newest first. */
export const RunsPage = pageOf(RunDocument);
export type RunsPage = Document<typeof RunsPage>;

export const RunEnded = changed(RunDocument);
export type RunEnded = Document<typeof RunEnded>;
