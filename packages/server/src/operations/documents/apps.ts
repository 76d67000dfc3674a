import Type from 'typebox';
import { Refusal, UsageDocument } from './reports.ts';
import {
  changed,
  count,
  credits,
  type Document,
  day,
  instant,
  nullable,
  type Page,
  pageOf,
  usd,
} from './shapes.ts';
import { DayForecast } from './today.ts';

export const Plan = Type.Object({
  ratePerSecond: Type.Number(),
  burst: Type.Number(),
  requestsPerDay: Type.Number(),
});
export type Plan = Document<typeof Plan>;

const settings = {
  name: Type.String(),
  enabled: Type.Boolean(),
  dailyBudgetUsd: nullable(usd),
  monthlyBudgetUsd: nullable(usd),
  perUserDailyUsd: nullable(usd),
  models: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Allowed models; null for all models',
  }),
  credits: nullable(Type.Object({ monthlyGrant: credits, usdPerCredit: usd })),
  unpriced: nullable(Type.Enum(['dearest', 'refuse', 'free'])),
  requirePriced: Type.Boolean(),
  streaming: nullable(Type.Boolean()),
  defaultMaxTokens: nullable(Type.Integer()),
  storeAnswers: Type.Boolean(),
  adoptRetries: Type.Boolean(),
  project: Type.String(),
  plans: Type.Object({ user: Type.Optional(Plan), admin: Type.Optional(Plan) }),
  ratePerSecond: nullable(Type.Number({ description: 'Of all its keys together' })),
  keysMax: Type.Integer({ description: 'Maximum number of keys that work at the same time' }),
  tags: Type.Record(Type.String(), Type.String()),
  origin: Type.Enum(['file', 'command']),
} as const;

/** Null: the app follows the configuration, or has none. */
export const AppDocument = Type.Object(settings);
export type AppDocument = Document<typeof AppDocument>;

export const ListedApp = Type.Object({ ...settings, drift: Type.Array(Type.String()) });
export type ListedApp = Document<typeof ListedApp>;

/** `GET /apps`, by name. */
export const ListedApps = Type.Array(ListedApp);
export type AppsPage = Page<ListedApp>;

export const RunDocument = Type.Object({
  id: Type.String(),
  app: Type.String(),
  label: nullable(Type.String()),
  userId: Type.Union([Type.String(), Type.Null()], { description: 'Masked for viewers' }),
  parentKeyId: Type.String(),
  models: nullable(Type.Array(Type.String())),
  maxCostUsd: usd,
  spentUsd: usd,
  heldUsd: usd,
  remainingUsd: usd,
  createdAt: instant,
  expiresAt: instant,
  endedAt: nullable(instant),
});
export type RunDocument = Document<typeof RunDocument>;

/** Newest first. */
export const RunDocuments = Type.Array(RunDocument);

/** `GET /runs`: open ones, newest first. */
export const RunsPage = pageOf(RunDocument);
export type RunsPage = Document<typeof RunsPage>;

export const RunEnded = changed(RunDocument);
export type RunEnded = Document<typeof RunEnded>;

export const ProjectBinding = Type.Object({
  app: Type.String(),
  platform: Type.String(),
  projectId: Type.String(),
});
export type ProjectBinding = Document<typeof ProjectBinding>;

/** `GET /apps/:app`; its `ETag` is that of `settings`. */
export const AppPage = Type.Object({
  settings: ListedApp,
  usage: UsageDocument,
  heldUsd: usd,
  forecast: Type.Object(DayForecast.properties, { was: 'atThisPace' }),
  plans: Type.Object(
    { user: Plan, admin: Plan },
    { description: "In effect: the app's rate limits, or those of the configuration" },
  ),
  projects: Type.Array(ProjectBinding),
  refusals: Type.Array(Refusal, { description: 'Of the last 24 hours, newest first' }),
  days: Type.Array(Type.Object({ day, costUsd: usd, calls: count }), {
    description: 'The last 30 days including today, oldest first, without gaps',
  }),
  runs: Type.Array(RunDocument),
});
export type AppPage = Document<typeof AppPage>;

const today = Type.Object(
  { capUsd: usd, spentUsd: usd, heldUsd: usd, remainingUsd: usd },
  { description: 'Budget of the current UTC day' },
);

export const CappedDay = Type.Object({
  app: Type.String(),
  day,
  capUsd: usd,
  dailyBudgetUsd: Type.String({ description: 'Daily budget in effect again from then on' }),
  until: Type.String(),
});
export type CappedDay = Document<typeof CappedDay>;

export const AppPreview = Type.Object({
  app: AppDocument,
  today: Type.Object({ before: nullable(today), after: nullable(today) }),
  grant: Type.Union([Type.String(), Type.Null()], {
    description: 'Sentence: which users get the changed grant, and from when',
  }),
  file: Type.Array(
    Type.Object({ setting: Type.String(), store: Type.String(), file: Type.String() }),
    { description: 'Settings with different values in the configuration file after this change' },
  ),
  note: Type.Union([Type.String(), Type.Null()], {
    description: 'Sentence: effect of the next start with the file',
  }),
  capped: nullable(CappedDay),
});
export type AppPreview = Document<typeof AppPreview>;

/** `POST /apps` and `PATCH /apps/:app` */
export const AppChanged = changed(AppPreview);
export type AppChanged = Document<typeof AppChanged>;

export type AppSettingsInput = Partial<Omit<AppDocument, 'name' | 'origin' | 'requirePriced'>>;
