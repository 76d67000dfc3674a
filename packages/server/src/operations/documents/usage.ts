import Type from 'typebox';
import { count, type Document, day, instant, usd } from './shapes.ts';

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

/** `GET /v1/usage` */
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
