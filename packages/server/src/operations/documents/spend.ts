import Type from 'typebox';
import { count, type Document, day, nullable, usd } from './shapes.ts';

/** `tag`: all tags of an app; `tag:NAME`: one of them. */
export const Dimension = Type.Union([
  Type.Enum(['app', 'project', 'group', 'model', 'user', 'key', 'platform', 'day', 'tag']),
  Type.Unsafe<`tag:${string}`>(
    Type.String({ pattern: '^tag:.', rule: 'a dimension, or tag: with the name of a tag' }),
  ),
]);
export type Dimension = Document<typeof Dimension>;

/** costUsd = exactUsd + estimatedUsd + correctedUsd. */
export const SumsDocument = Type.Object({
  calls: count,
  errors: count,
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteInputTokens: count,
  cacheWrite1hInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  costUsd: usd,
  exactUsd: usd,
  estimatedUsd: usd,
  correctedUsd: usd,
  unpricedUsd: usd,
  unpricedCalls: count,
});
export type SumsDocument = Document<typeof SumsDocument>;

/** `GET /spend`. */
export const Spend = Type.Object({
  from: day,
  to: day,
  by: Type.Array(Dimension),
  rows: Type.Array(Type.Object({ names: Type.Array(Type.String()), sums: SumsDocument }), {
    description:
      'A name for each of `by`, "" for none; by name, or the dearest first: with `top`, of users, and of more than 1,000',
  }),
  total: Type.Object(SumsDocument.properties, {
    description: 'Of all rows, those that `top` leaves out as well',
  }),
  found: Type.Integer({ minimum: 0, description: 'Rows there are in all' }),
  days: Type.Array(
    Type.Object({
      day,
      costUsd: usd,
      parts: Type.Array(Type.Object({ name: nullable(Type.String()), costUsd: usd })),
    }),
    {
      description:
        'Every day of the range, for a chart: the dearest names of the first of `by`, and null for the others. No parts where it is split by users, or by days first',
    },
  ),
  before: Type.Optional(
    Type.Object(
      { from: day, to: day, total: SumsDocument },
      { description: 'With `compare`: as many days before, or the month before a whole month' },
    ),
  ),
  forecast: Type.Optional(
    Type.Object(
      { usd, basis: Type.String() },
      { description: 'What the range comes to when it is over; missing where it is' },
    ),
  ),
});
export type Spend = Document<typeof Spend>;
