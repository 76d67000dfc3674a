import Type from 'typebox';
import { Refusal } from './reports.ts';
import { count, type Document, day, instant, nullable, type Page, usd } from './shapes.ts';

export const AtThisPace = Type.Object({
  usedUpAt: Type.Union([instant, Type.Null()], {
    description:
      'When the cap is used up, and usedUpSince once it is; null where the day ends first, without a cap, and for a disabled app',
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
  usedUpSince: Type.Union([instant, Type.Null()], {
    description:
      'When the service saw that the spending had reached the cap: at most 10 s after it did, or later where no process ran. Null while it has not',
  }),
  atThisPace: AtThisPace,
});
export type OverviewApp = Document<typeof OverviewApp>;

export const Problem = Type.Object({
  kind: Type.Enum([
    ...(['circuit', 'platform', 'replicas', 'unpriced', 'webhook', 'sums', 'closed'] as const),
    ...(['key', 'invoice'] as const),
  ]),
  app: Type.Optional(Type.String({ description: 'The app whose key it is' })),
  text: Type.String(),
  href: Type.String({ description: 'The page of the console that has more' }),
});
export type Problem = Document<typeof Problem>;

const sums = { spentUsd: usd, calls: count, errors: count } as const;

const hours = Type.Array(
  Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), ...sums, refused: count }),
  {
    description:
      'Each hour of the UTC day, the last one open; they add up to `totals`. Calls count in the hour in which they ended, or in the next one for the seconds until the service has noted an hour. Where no process noted the end of an hour, the next hour includes it. A correction that lowers a cost lowers an hour before it',
  },
);

const forecast = Type.Array(
  Type.Object({ hour: Type.Integer({ minimum: 1, maximum: 24 }), spentUsd: usd }),
  {
    description:
      'The total expected at the end of each later hour, of all apps; the last is the sum of their `byMidnightUsd`. Empty before anything is spent',
  },
);

const yesterday = Type.Union(
  [
    Type.Object({
      until: instant,
      ...{ todayUsd: usd, yesterdayUsd: usd, todayCalls: count, yesterdayCalls: count },
    }),
    Type.Null(),
  ],
  {
    description:
      'Both days up to the same last full hour, which is today `until`; null in the first hour of a day, and where the service did not note the hour on both days',
  },
);

const refusedToday = Type.Array(
  Type.Object({
    ...{ app: Refusal.properties.app, code: Refusal.properties.code, count, lastAt: instant },
    ...{ lastMessage: Refusal.properties.lastMessage },
    lastRequestId: Refusal.properties.lastRequestId,
  }),
  { description: 'Of the whole UTC day, most first' },
);

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
  running: Type.Integer({ minimum: 0, description: 'Calls that run now' }),
  ...{ hours, forecast, yesterday },
  models: Type.Array(Type.Object({ model: Type.String(), ...sums }), {
    description: 'Of today, at most 20, most spent first',
  }),
  otherModels: Type.Union([Type.Object(sums), Type.Null()], {
    description: 'All that are not in `models`; null where none is',
  }),
  problems: Type.Array(Problem, {
    description:
      'Those of `GET /health`; and, as reminders only, replaced keys that are still in use in their last three days, and the newest invoice day that differs from the ledger',
  }),
  well: Type.String({ description: 'What is looked at and in order, in words' }),
  apps: Type.Array(OverviewApp),
  refusals: Type.Array(Refusal, { description: 'Of this hour and the one before' }),
  refusedToday,
  hasCalls: Type.Boolean({ description: 'Whether any call was ever made' }),
  lastCall: Type.Union([Type.String(), Type.Null()], { description: 'The newest finished call' }),
  firstCall: Type.String({
    description: 'A line for a shell that makes a first call, with a model of this service',
  }),
  hasSampleKeys: Type.Boolean({
    description: 'Before the first call: whether the first start printed keys of sample apps',
  }),
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
