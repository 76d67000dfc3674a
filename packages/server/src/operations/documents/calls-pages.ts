import Type from 'typebox';
import { bases } from '../../books/rows.ts';
import { after, count, type Document, instant, nullable, usd } from './shapes.ts';

/** Why a call costs what it is booked with. */
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
  description: 'Milliseconds from its start to its end',
});
export const firstMs = Type.Union([count, Type.Null()], {
  description:
    'Milliseconds from its start to the first output that a caller got; null where it was not streamed, or this was not recorded',
});

export const FoundCall = Type.Object({
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
    description: 'Requests sent to platforms; null where they were not recorded',
  }),
});
export type FoundCall = Document<typeof FoundCall>;

/** `GET /calls`, newest first. */
export const CallsPage = Type.Object({
  items: Type.Array(FoundCall),
  after,
  searchedBackTo: Type.Union([instant, Type.Null()], {
    description: 'Where the time was over before the page was full: `after` goes on from there',
  }),
});
export type CallsPage = Document<typeof CallsPage>;

/** `GET /dearest-calls`, dearest first. */
export const DearestCalls = Type.Object({
  items: Type.Array(FoundCall),
  unsearched: Type.Union(
    [
      Type.Object({
        since: Type.Union([instant, Type.Null()], { description: 'Null for the beginning of all' }),
        until: instant,
        atMostUsd: Type.Union([usd, Type.Null()], {
          description: 'None of them costs more; null where that is not known',
        }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Calls of a time that was not looked through when two seconds were over; null where every call was looked at, or is known to cost less',
    },
  ),
});
export type DearestCalls = Document<typeof DearestCalls>;

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
  errors: Type.Integer({ minimum: 0, description: 'Calls with another code than OK' }),
  costUsd: usd,
  tookMs: Type.Union([percentiles, Type.Null()], {
    description: 'Milliseconds, to two significant digits; null without a call',
  }),
  firstMs: Type.Union([percentiles, Type.Null()], {
    description:
      'Milliseconds to the first output, to two significant digits; null where no call has one',
  }),
  since: instant,
  until: instant,
  sliceMs: count,
  slices: Type.Array(Type.Object({ at: instant, calls: count, errors: count }), {
    maxItems: 60,
    description: 'The oldest first, without gaps',
  }),
  byApp: Type.Array(group, { maxItems: 20, description: 'Those with the most calls' }),
  byModel: Type.Array(group, {
    maxItems: 20,
    description: 'Those with the most calls, by the model that usage counts',
  }),
  searchedBackTo: Type.Union([instant, Type.Null()], {
    description: 'Where the time was over before all was read: the figures are of calls since then',
  }),
});
export type CallStats = Document<typeof CallStats>;

export const CallsFound = Type.Union([CallsPage, DearestCalls]);
