import Type from 'typebox';
import { bases } from '../../books/rows.ts';
import { after, count, type Document, instant, nullable, usd } from './shapes.ts';

/** The reason for the booked cost of a call. */
export const basis = Type.Enum([...bases]);

export const usage = Type.Object({
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
});

export const tookMs = Type.Integer({
  minimum: 0,
  description: 'Milliseconds from start to end',
});
export const firstMs = Type.Union([count, Type.Null()], {
  description:
    'Milliseconds from start to the first output that the caller received; null if not streamed or not recorded',
});

export const CallSummary = Type.Object({
  id: Type.String(),
  startedAt: instant,
  app: Type.String(),
  keyId: nullable(Type.String()),
  userId: Type.Union([Type.String(), Type.Null()], { description: 'Masked for viewers' }),
  model: Type.String(),
  platform: nullable(Type.String()),
  code: Type.String(),
  costUsd: usd,
  estimatedUsd: usd,
  basis,
  usage,
  tookMs,
  firstMs,
  attempts: Type.Union([count, Type.Null()], {
    description: 'Requests sent to platforms; null if not recorded',
  }),
});
export type CallSummary = Document<typeof CallSummary>;

/** `GET /calls`, newest first. */
export const CallsPage = Type.Object({
  items: Type.Array(CallSummary),
  after,
  searchedBackTo: Type.Union([instant, Type.Null()], {
    description:
      'End of the search if time ran out before the page was full; `after` continues from there',
  }),
});
export type CallsPage = Document<typeof CallsPage>;

/** `GET /calls?order=cost`. */
export const MostExpensiveCalls = Type.Object({
  items: Type.Array(CallSummary),
  unsearched: Type.Union(
    [
      Type.Object({
        since: Type.Union([instant, Type.Null()], { description: 'Null: from the first call' }),
        until: instant,
        atMostUsd: Type.Union([usd, Type.Null()], {
          description: 'Maximum cost of any of these calls; null if unknown',
        }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Time range not searched within 2 s; null if every call was searched or is known to cost less',
    },
  ),
});
export type MostExpensiveCalls = Document<typeof MostExpensiveCalls>;

const percentiles = Type.Object({ p50: count, p95: count });

const group = Type.Object({
  name: Type.String(),
  calls: count,
  errors: count,
  costUsd: usd,
  tookMs: percentiles,
  firstMs: nullable(percentiles),
});

/** `GET /call-stats`. */
export const CallStats = Type.Object({
  calls: count,
  errors: Type.Integer({ minimum: 0, description: 'Calls with a result code other than OK' }),
  costUsd: usd,
  tookMs: Type.Union([percentiles, Type.Null()], {
    description: 'Milliseconds, to 2 significant digits; null without calls',
  }),
  firstMs: Type.Union([percentiles, Type.Null()], {
    description:
      'Milliseconds to the first output, to 2 significant digits; null if no call has one',
  }),
  since: instant,
  until: instant,
  sliceMs: count,
  slices: Type.Array(Type.Object({ at: instant, calls: count, errors: count }), {
    maxItems: 60,
    description: 'Oldest first, without gaps',
  }),
  byApp: Type.Array(group, { maxItems: 20, description: 'Platforms with the most calls' }),
  byModel: Type.Array(group, {
    maxItems: 20,
    description: 'Models with the most calls, by the model under which usage is counted',
  }),
  searchedBackTo: Type.Union([instant, Type.Null()], {
    description:
      'Set if time ran out before all calls were read: the figures cover calls since then',
  }),
});
export type CallStats = Document<typeof CallStats>;

export const CallList = Type.Union([CallsPage, MostExpensiveCalls]);
