import Type from 'typebox';
import { asked, changed, changing, confirm, line, modelId } from '../change-shapes.ts';
import { type Document, nullable, usd } from '../shapes.ts';
import { AppDocument, Plan } from './documents.ts';

/** The settings that are named, and no others; null for none, or as the configuration says. */
export const AppSettingsAsked = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    dailyBudgetUsd: Type.Optional(nullable(asked)),
    monthlyBudgetUsd: Type.Optional(nullable(asked)),
    perUserDailyUsd: Type.Optional(nullable(asked)),
    models: Type.Optional(nullable(Type.Array(modelId, { maxItems: 1_000, uniqueItems: true }))),
    credits: Type.Optional(
      nullable(
        Type.Object({ monthlyGrant: asked, usdPerCredit: asked }, { additionalProperties: false }),
      ),
    ),
    unpriced: Type.Optional(nullable(Type.Enum(['dearest', 'refuse', 'free']))),
    streaming: Type.Optional(nullable(Type.Boolean())),
    defaultMaxTokens: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
    storeAnswers: Type.Optional(Type.Boolean()),
    adoptRetries: Type.Optional(Type.Boolean()),
    ratePerSecond: Type.Optional(nullable(Type.Number({ exclusiveMinimum: 0 }))),
    keysMax: Type.Optional(Type.Integer({ minimum: 1 })),
    tags: Type.Optional(Type.Record(Type.String(), Type.String())),
    project: Type.Optional(nullable(line(128, 'Null for the name that company and app make'))),
    plans: Type.Optional(
      Type.Object(
        { user: Type.Optional(Plan), admin: Type.Optional(Plan) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type AppSettingsAsked = Document<typeof AppSettingsAsked>;

/** `POST /apps`. */
export const AppCreation = changing({
  name: Type.String({ minLength: 1, maxLength: 63 }),
  settings: Type.Optional(AppSettingsAsked),
});
export type AppCreation = Document<typeof AppCreation>;

/** `PATCH /apps/:app`, with `If-Match`; `confirm` is its name where it is disabled. */
export const AppChange = changing({
  settings: AppSettingsAsked,
  until: Type.Optional(
    Type.Literal('midnight', { description: '`dailyBudgetUsd` is of today (UTC) alone' }),
  ),
  confirm,
});
export type AppChange = Document<typeof AppChange>;

const today = Type.Object(
  { capUsd: usd, spentUsd: usd, heldUsd: usd, remainingUsd: usd },
  { description: 'The budget of the UTC day that runs' },
);

/** What `POST /apps` and `PATCH /apps/:app` come to. */
export const AppChanged = changed(
  Type.Object({
    app: AppDocument,
    today: Type.Object({ before: nullable(today), after: nullable(today) }),
    grant: Type.Union([Type.String(), Type.Null()], {
      description: 'Which users get a changed grant from when on, in words',
    }),
    file: Type.Array(
      Type.Object({ setting: Type.String(), store: Type.String(), file: Type.String() }),
      { description: 'What the configuration file says otherwise after this' },
    ),
    note: Type.Union([Type.String(), Type.Null()], {
      description: 'What the next start with the file does with that, in words',
    }),
  }),
);
export type AppChanged = Document<typeof AppChanged>;
