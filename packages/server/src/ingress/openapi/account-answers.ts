import Type from 'typebox';

/** Open schemas: fields may be added. */

export const usd = Type.String({
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: 'Exact decimal USD, such as "0.000183"',
});
const credits = Type.String({
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: 'Exact decimal credits',
});
export const count = Type.Integer({ minimum: 0 });
const day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'A UTC day' });
const instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' });

const closedAt = Type.String({
  format: 'date-time',
  description: 'When the store was restored that has closed it: calls are refused',
});

export const budget = Type.Object(
  { capUsd: usd, spentUsd: usd, heldUsd: usd, remainingUsd: usd, resetsAt: instant },
  { description: 'spentUsd + heldUsd + remainingUsd = capUsd; remainingUsd is never below 0' },
);

const scopeBudget = Type.Object(
  {
    scope: Type.String({ description: 'As the header `x-budget-scope` writes it' }),
    mode: Type.Union([Type.Literal('enforce'), Type.Literal('shadow')]),
    capUsd: Type.Optional(usd),
    spentUsd: Type.Optional(usd),
    heldUsd: Type.Optional(usd),
    remainingUsd: Type.Optional(usd),
    wouldRefuse: Type.Optional(
      Type.Object(
        { calls: count, maxCostUsd: usd },
        { description: 'Of `shadow`: what it would have refused in its period' },
      ),
    ),
    resetsAt: instant,
    closedAt: Type.Optional(closedAt),
  },
  { description: 'Without amounts where the caller may not be told them' },
);

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

/** Admitted calls only. */
export const usageTotals = Type.Object(totals, {
  description: 'Sums over admitted calls; costUsd includes estimatedUsd',
});

export const usageAnswer = Type.Object({
  app: Type.String(),
  project: Type.String(),
  day,
  budget: Type.Union([budget, Type.Null()]),
  scopes: Type.Optional(
    Type.Array(scopeBudget, {
      description: "The app's month and the groups that it is in; missing where it has none",
    }),
  ),
  totals: usageTotals,
  models: Type.Array(Type.Object({ model: Type.String(), ...totals })),
  history: Type.Array(Type.Object({ day, calls: count, costUsd: usd }), {
    maxItems: 30,
    description: 'The last 30 days with a call, the newest first',
  }),
});

export const creditsAnswer = Type.Object(
  {
    userId: Type.String(),
    period: Type.String({ pattern: '^\\d{4}-\\d\\d$', description: 'A UTC month' }),
    granted: credits,
    toppedUp: credits,
    spent: credits,
    held: credits,
    available: credits,
    resetsAt: instant,
    closedAt: Type.Optional(closedAt),
  },
  {
    description: 'available = granted + toppedUp − spent − held, or 0 while `closedAt` is there',
  },
);

const quoted = {
  model: Type.String({ description: "The model's id as it was sent" }),
  maxCostUsd: Type.Union([usd, Type.Null()], {
    description: 'So much would be held; null for a model without a price',
  }),
  fits: Type.Boolean({ description: 'Whether budget and wallet cover it now' }),
} as const;

export const quoteAnswer = Type.Object(
  {
    ...quoted,
    code: Type.Union([
      Type.Literal('BUDGET_EXCEEDED'),
      Type.Literal('INSUFFICIENT_CREDITS'),
      Type.Null(),
    ]),
    inputTokensAtMost: count,
    outputTokensAtMost: count,
    binding: Type.Union([Type.String(), Type.Null()], {
      description:
        '`budget`, `wallet`, or a budget as `x-budget-scope` names it; null where the call fits',
    }),
    budget: Type.Union([budget, Type.Null()]),
    wallet: Type.Union([creditsAnswer, Type.Null()]),
    maxTokensThatFit: Type.Union([count, Type.Null()], {
      description: '0 where none fits; null for embeddings, which have none',
    }),
    others: Type.Array(
      Type.Object({
        ...quoted,
        code: Type.Union([Type.String(), Type.Null()], {
          description: 'What the call would be refused with',
        }),
      }),
    ),
  },
  { description: 'How things stand now: nothing is held, and nothing promised' },
);

const runState = {
  runId: Type.String(),
  maxCostUsd: usd,
  spentUsd: usd,
  heldUsd: usd,
  remainingUsd: usd,
  expiresAt: instant,
} as const;

export const newRunAnswer = Type.Object(
  {
    ...runState,
    key: Type.String({ description: 'Told here alone' }),
    endedAt: Type.Optional(instant),
  },
  { description: 'A ceiling: nothing is held but for calls' },
);

export const runAnswer = Type.Object(
  {
    ...runState,
    endedAt: Type.Union([instant, Type.Null()], {
      description: 'When it was ended before it expired; null where it was not',
    }),
    models: Type.Optional(Type.Array(Type.String())),
    userId: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
  },
  { description: 'spentUsd + heldUsd + remainingUsd = maxCostUsd; remainingUsd is never below 0' },
);
