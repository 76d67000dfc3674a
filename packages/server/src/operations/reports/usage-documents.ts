import Type from 'typebox';
import { count, type Document, day, instant, usd } from '../shapes.ts';

/** An app's budget of a UTC day. */
export const Budget = Type.Object(
  { capUsd: usd, spentUsd: usd, heldUsd: usd, remainingUsd: usd, resetsAt: instant },
  { description: 'spentUsd + heldUsd + remainingUsd = capUsd; remainingUsd is never below 0' },
);
export type Budget = Document<typeof Budget>;

/** A budget beside the app's own day; without amounts where the reader may not be told them. */
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

/** What calls of a day, or of a part of it, came to. */
export const UsageTotals = Type.Object(totals);
export type UsageTotals = Document<typeof UsageTotals>;

/** The document of `GET /v1/usage`. */
export const UsageDocument = Type.Object({
  app: Type.String(),
  project: Type.String(),
  day,
  budget: Type.Union([Budget, Type.Null()]),
  scopes: Type.Optional(Type.Array(ScopeBudget)),
  totals: UsageTotals,
  models: Type.Array(Type.Object({ model: Type.String(), ...totals })),
  history: Type.Array(Type.Object({ day, calls: count, costUsd: usd }), {
    description: 'The last 30 days with a call, the newest first',
  }),
});
export type UsageDocument = Document<typeof UsageDocument>;
