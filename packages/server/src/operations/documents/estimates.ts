import Type from 'typebox';
import { count, type Document, day, nullable, usd } from './shapes.ts';

/** `GET /estimates`, largest amount first. */
export const Estimates = Type.Object({
  from: day,
  to: day,
  rows: Type.Array(
    Type.Object({
      reason: Type.Union([Type.String(), Type.Null()], {
        description: 'Why it is an estimate; null for calls of versions that did not note it',
      }),
      platform: nullable(Type.String()),
      model: Type.String(),
      calls: count,
      estimatedUsd: usd,
    }),
  ),
  totalUsd: usd,
});
export type Estimates = Document<typeof Estimates>;
