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
  description: 'Time of the restore that closed it; calls are rejected while it is set',
});

export const budget = Type.Object(
  { capUsd: usd, spentUsd: usd, heldUsd: usd, remainingUsd: usd, resetsAt: instant },
  { description: 'spentUsd + heldUsd + remainingUsd = capUsd; remainingUsd is never below 0' },
);

const scopeBudget = Type.Object(
  {
    scope: Type.String({ description: 'In the format of the header `x-budget-scope`' }),
    mode: Type.Union([Type.Literal('enforce'), Type.Literal('shadow')]),
    capUsd: Type.Optional(usd),
    spentUsd: Type.Optional(usd),
    heldUsd: Type.Optional(usd),
    remainingUsd: Type.Optional(usd),
    wouldRefuse: Type.Optional(
      Type.Object(
        { calls: count, maxCostUsd: usd },
        { description: 'Only for `shadow`: calls of its period that it would have rejected' },
      ),
    ),
    resetsAt: instant,
    closedAt: Type.Optional(closedAt),
  },
  { description: 'Amounts are omitted if the caller is not allowed to see them' },
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
  description: 'Totals of admitted calls; costUsd includes estimatedUsd',
});

export const usageAnswer = Type.Object({
  app: Type.String(),
  project: Type.String(),
  day,
  budget: Type.Union([budget, Type.Null()]),
  scopes: Type.Optional(
    Type.Array(scopeBudget, {
      description: "Budgets of the app's month and of its groups; absent if there are none",
    }),
  ),
  totals: usageTotals,
  models: Type.Array(Type.Object({ model: Type.String(), ...totals })),
  history: Type.Array(Type.Object({ day, calls: count, costUsd: usd }), {
    maxItems: 30,
    description: 'The last 30 days with a call, newest first',
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
    description: 'available = granted + toppedUp − spent − held, or 0 while `closedAt` is present',
  },
);

const quoted = {
  model: Type.String({ description: 'Model id that the caller sent' }),
  maxCostUsd: Type.Union([usd, Type.Null()], {
    description: 'Amount that would be reserved; null for a model without a price',
  }),
  fits: Type.Boolean({ description: 'True if the budgets and the wallet cover it now' }),
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
        '`budget`, `wallet`, or a budget in the format of `x-budget-scope`; null if the call fits',
    }),
    budget: Type.Union([budget, Type.Null()]),
    wallet: Type.Union([creditsAnswer, Type.Null()]),
    maxTokensThatFit: Type.Union([count, Type.Null()], {
      description: '0 if none fits; null for embeddings',
    }),
    others: Type.Array(
      Type.Object({
        ...quoted,
        code: Type.Union([Type.String(), Type.Null()], {
          description: 'Error code of the rejection',
        }),
      }),
    ),
  },
  { description: 'Current state only: nothing is reserved or guaranteed' },
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
    key: Type.String({ description: 'Returned only in this response' }),
    endedAt: Type.Optional(instant),
  },
  { description: 'Budget of the run; amounts are reserved only for calls' },
);

export const runAnswer = Type.Object(
  {
    ...runState,
    endedAt: Type.Union([instant, Type.Null()], {
      description: 'Time at which it was ended before it expired; null if it was not',
    }),
    models: Type.Optional(Type.Array(Type.String())),
    userId: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
  },
  { description: 'spentUsd + heldUsd + remainingUsd = maxCostUsd; remainingUsd is never below 0' },
);
