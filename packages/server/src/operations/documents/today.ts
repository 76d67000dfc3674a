import Type from 'typebox';
import { Refusal } from './reports.ts';
import { count, type Document, day, instant, nullable, type Page, usd } from './shapes.ts';

export const AtThisPace = Type.Object({
  usedUpAt: Type.Union([instant, Type.Null()], {
    description: 'When the cap is used up; null where the day ends first, or without a cap',
  }),
  byMidnightUsd: usd,
  basis: Type.String({ description: 'What the forecast is made of, in words' }),
});
export type AtThisPace = Document<typeof AtThisPace>;

export const OverviewApp = Type.Object({
  app: Type.String(),
  enabled: Type.Boolean(),
  capUsd: nullable(usd),
  spentUsd: usd,
  heldUsd: usd,
  leftUsd: Type.Union([usd, Type.Null()], { description: 'Never below 0; null without a cap' }),
  usedPercent: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Spent and held, of the cap, cut; may be above 100; null without a cap',
  }),
  estimatedUsd: usd,
  calls: count,
  errors: count,
  refused: count,
  atThisPace: AtThisPace,
});
export type OverviewApp = Document<typeof OverviewApp>;

export const Problem = Type.Object({
  kind: Type.Enum(['circuit', 'platform', 'replicas', 'unpriced', 'webhook', 'sums', 'closed']),
  text: Type.String(),
  href: Type.String({ description: 'The page of the console that has more' }),
});
export type Problem = Document<typeof Problem>;

/** `GET /overview`, of the apps that the reader may see. */
export const Overview = Type.Object({
  at: instant,
  day,
  resetsAt: instant,
  totals: Type.Object({
    spentUsd: usd,
    heldUsd: usd,
    estimatedUsd: usd,
    calls: count,
    errors: count,
    refused: count,
  }),
  problems: Type.Array(Problem),
  well: Type.String({ description: 'What is looked at and in order, in words' }),
  apps: Type.Array(OverviewApp),
  refusals: Type.Array(Refusal, { description: 'Of this hour and the one before' }),
  hasCalls: Type.Boolean({ description: 'Whether any call was ever made' }),
  lastCall: Type.Union([Type.String(), Type.Null()], { description: 'The newest finished call' }),
  firstCall: Type.String({ description: 'A line for a shell that makes a first call' }),
});
export type Overview = Document<typeof Overview>;

export const Found = Type.Object({
  kind: Type.Enum(['app', 'key', 'user', 'call', 'run', 'model']),
  label: Type.String(),
  href: Type.String(),
});
export type Found = Document<typeof Found>;

export const FoundItems = Type.Array(Found);
export type FoundPage = Page<Found>;
