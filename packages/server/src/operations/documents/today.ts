import Type from 'typebox';
import { Refusal } from './reports.ts';
import { count, type Document, day, instant, nullable, type Page, usd } from './shapes.ts';

export const DayForecast = Type.Object({
  exhaustedAt: Type.Union([instant, Type.Null()], {
    was: 'usedUpAt',
    description:
      'Expected time at which the cap is used up, later usedUpSince; null if the day ends first, without a cap, and for a disabled app',
  }),
  endOfDayUsd: Type.String({ ...usd, was: 'byMidnightUsd' }),
  basis: Type.String({ description: 'Basis of the forecast as text' }),
});
export type DayForecast = Document<typeof DayForecast>;

export const OverviewApp = Type.Object({
  app: Type.String(),
  enabled: Type.Boolean(),
  capUsd: nullable(usd),
  spentUsd: usd,
  heldUsd: usd,
  leftUsd: Type.Union([usd, Type.Null()], { description: 'Never below 0; null without a cap' }),
  usedPercent: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Spent and reserved as a percentage of the cap, rounded down; can exceed 100; null without a cap',
  }),
  estimatedUsd: usd,
  calls: count,
  errors: count,
  refused: count,
  usedUpSince: Type.Union([instant, Type.Null()], {
    description:
      'Time at which the service saw that spending reached the cap: at most 10 s after, or later if no process ran. Null before that',
  }),
  forecast: Type.Object(DayForecast.properties, { was: 'atThisPace' }),
});
export type OverviewApp = Document<typeof OverviewApp>;

export const Problem = Type.Object({
  kind: Type.Enum([
    ...(['circuit', 'platform', 'replicas', 'unpriced', 'webhook', 'sums', 'closed'] as const),
    ...(['key', 'invoice'] as const),
  ]),
  app: Type.Optional(Type.String({ description: 'App of the key' })),
  text: Type.String(),
  href: Type.String({ description: 'Console page with details' }),
});
export type Problem = Document<typeof Problem>;

const sums = { spentUsd: usd, calls: count, errors: count } as const;

const hours = Type.Array(
  Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), ...sums, refused: count }),
  {
    description:
      'Each hour of the UTC day, the last one open; they add up to `totals`. A call counts in the hour in which it ended. Calls at the end of an hour can count in the next one, until the service has recorded the hour. If no process recorded the end of an hour, the next hour includes it. A correction that lowers a cost lowers an earlier hour',
  },
);

const forecast = Type.Array(
  Type.Object({ hour: Type.Integer({ minimum: 1, maximum: 24 }), spentUsd: usd }),
  {
    description:
      'Expected total of all apps at the end of each later hour; the last is the sum of their `forecast.endOfDayUsd`. Empty before anything is spent',
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
      'Both days up to the same last full hour, today `until`. Null in the first hour of a day, and if the service did not record that hour on both days',
  },
);

const refusedToday = Type.Array(
  Type.Object({
    ...{ app: Refusal.properties.app, code: Refusal.properties.code, count, lastAt: instant },
    ...{ lastMessage: Refusal.properties.lastMessage },
    lastRequestId: Refusal.properties.lastRequestId,
  }),
  { description: 'Of the whole UTC day, most frequent first' },
);

/** `GET /overview`, limited to the reader's apps. */
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
  running: Type.Integer({ minimum: 0, description: 'Running calls' }),
  ...{ hours, forecast, yesterday },
  models: Type.Array(Type.Object({ model: Type.String(), ...sums }), {
    description: 'Of today, at most 20, most expensive first',
  }),
  otherModels: Type.Union([Type.Object(sums), Type.Null()], {
    description: 'All models that are not in `models`; null if there are none',
  }),
  problems: Type.Array(Problem, {
    description:
      'Problems of `GET /health`. Reminders: replaced keys still in use in their last 3 days, and the newest invoice day that differs from the ledger',
  }),
  healthy: Type.String({ was: 'well', description: 'Passed checks as text' }),
  apps: Type.Array(OverviewApp),
  refusals: Type.Array(Refusal, { description: 'Of this hour and the previous hour' }),
  refusedToday,
  hasCalls: Type.Boolean({ description: 'Whether any call was ever made' }),
  lastCall: Type.Union([Type.String(), Type.Null()], { description: 'Newest finished call' }),
  firstCall: Type.String({
    description: 'Shell command for a first call, with a model of this service',
  }),
  hasSampleKeys: Type.Boolean({
    description: 'Before the first call: whether the first start printed keys of the sample apps',
  }),
});
export type Overview = Document<typeof Overview>;

export const SearchResult = Type.Object({
  kind: Type.Enum(['app', 'key', 'user', 'call', 'run', 'model']),
  label: Type.String(),
  href: Type.String(),
});
export type SearchResult = Document<typeof SearchResult>;

export const SearchResults = Type.Array(SearchResult);
export type SearchPage = Page<SearchResult>;
