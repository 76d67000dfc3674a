import Type from 'typebox';
import { count, type Document, day, instant, nullable, usd } from './shapes.ts';

export const Budget = Type.Object(
  { capUsd: usd, spentUsd: usd, heldUsd: usd, remainingUsd: usd, resetsAt: instant },
  { description: 'spentUsd + heldUsd + remainingUsd = capUsd; remainingUsd is never below 0' },
);
export type Budget = Document<typeof Budget>;

/** Not the app's daily budget; no amounts for readers who may not see them. */
export const ScopeBudget = Type.Object({
  scope: Type.String(),
  mode: Type.Enum(['enforce', 'shadow']),
  capUsd: Type.Optional(usd),
  spentUsd: Type.Optional(usd),
  heldUsd: Type.Optional(usd),
  remainingUsd: Type.Optional(usd),
  wouldRefuse: Type.Optional(Type.Object({ calls: count, maxCostUsd: usd })),
  resetsAt: instant,
});
export type ScopeBudget = Document<typeof ScopeBudget>;

const totals = {
  calls: count,
  errors: count,
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  costUsd: usd,
  estimatedUsd: usd,
  unpricedCalls: count,
} as const;

export const UsageTotals = Type.Object(totals);
export type UsageTotals = Document<typeof UsageTotals>;

export const UsageDocument = Type.Object({
  app: Type.String(),
  project: Type.String(),
  day,
  budget: Type.Union([Budget, Type.Null()]),
  scopes: Type.Optional(Type.Array(ScopeBudget)),
  totals: UsageTotals,
  models: Type.Array(Type.Object({ model: Type.String(), ...totals })),
  history: Type.Array(Type.Object({ day, calls: count, costUsd: usd }), {
    description: 'The last 30 days with calls, newest first',
  }),
});
export type UsageDocument = Document<typeof UsageDocument>;

/** `GET /estimates`, largest amount first. */
export const Estimates = Type.Object({
  from: day,
  to: day,
  rows: Type.Array(
    Type.Object({
      reason: Type.Union([Type.String(), Type.Null()], {
        description:
          'Why it is an estimate; null for calls of versions that did not record the reason',
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

export const Refusal = Type.Object({
  at: Type.String({ format: 'date-time', description: 'Start of the UTC hour' }),
  app: Type.String({ description: '`-` for a rejected key that belongs to no app' }),
  code: Type.String({ description: 'With the reason for a rejected key: `FORBIDDEN:unknown`' }),
  count,
  lastAt: instant,
  lastMessage: Type.String({
    description: 'Message of the last response; for a rejected key: reason, route and network',
  }),
  lastRequestId: nullable(Type.String()),
});
export type Refusal = Document<typeof Refusal>;

/** `GET /apps/:app/refusals`, newest hour first. */
export const Refusals = Type.Array(Refusal);

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

export const Spend = Type.Object({
  from: day,
  to: day,
  by: Type.Array(Dimension),
  rows: Type.Array(Type.Object({ names: Type.Array(Type.String()), sums: SumsDocument }), {
    description:
      'A name for each of `by`, "" for none. Sorted by name, or most expensive first: with `top`, by user, and above 1,000 rows',
  }),
  total: Type.Object(SumsDocument.properties, {
    description: 'Total of all rows, including rows that `top` leaves out',
  }),
  found: Type.Integer({ minimum: 0, description: 'Number of all rows' }),
  days: Type.Array(
    Type.Object({
      day,
      costUsd: usd,
      parts: Type.Array(Type.Object({ name: nullable(Type.String()), costUsd: usd })),
    }),
    {
      description:
        'Every day of the range, for a chart: the most expensive names of the first of `by`, and null for the others. No parts if split by users, or by days first',
    },
  ),
  before: Type.Optional(
    Type.Object(
      { from: day, to: day, total: SumsDocument },
      {
        description:
          'With `compare`: the same number of days before, or for a whole month the month before',
      },
    ),
  ),
  forecast: Type.Optional(
    Type.Object(
      { usd, basis: Type.String() },
      { description: 'Expected total at the end of the range; missing if the range is over' },
    ),
  ),
});
export type Spend = Document<typeof Spend>;
