import Type from 'typebox';
import { asked, changed, changing, line, modelId } from '../change-shapes.ts';
import { type Document, instant, nullable, usd } from '../shapes.ts';

const expiresAt = Type.Optional(
  Type.String({ maxLength: 40, description: 'When it ends: ISO 8601, UTC' }),
);

/** `POST /apps/:app/keys`. */
export const KeyAsked = changing({
  email: line(254, 'The person or team that gets it'),
  dailyUsd: Type.Optional(asked),
  monthlyUsd: Type.Optional(asked),
  models: Type.Optional(Type.Array(modelId, { minItems: 1, maxItems: 1_000, uniqueItems: true })),
  expiresAt,
  note: Type.Optional(line(200, 'What it is for')),
});
export type KeyAsked = Document<typeof KeyAsked>;

/** `POST /keys/:id/rotate`. */
export const KeyRotation = changing({
  graceMinutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 527_040,
      description: 'How long the old key works on; without it until it is disabled',
    }),
  ),
  expiresAt,
});
export type KeyRotation = Document<typeof KeyRotation>;

/** `POST /keys/:id/disable` and `/enable`. */
export const KeySwitch = changing({});
export type KeySwitch = Document<typeof KeySwitch>;

/** A key, shown once. */
export const KeyIssued = changed(
  Type.Object({
    id: Type.String(),
    key: Type.String({ description: 'The secret: it is shown now and never again' }),
    name: Type.String(),
    customerId: Type.String(),
    role: nullable(Type.Enum(['user', 'admin'])),
    oldEndsAt: Type.Optional(instant),
  }),
);
export type KeyIssued = Document<typeof KeyIssued>;

/** What became of a key. */
export const KeyChanged = changed(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    customerId: Type.String(),
    role: nullable(Type.Enum(['user', 'admin'])),
    app: Type.Optional(Type.String()),
    enabled: Type.Boolean(),
    createdAt: instant,
    rotatedFrom: Type.Optional(Type.String()),
    dailyUsd: Type.Optional(usd),
    monthlyUsd: Type.Optional(usd),
    models: Type.Optional(Type.Array(Type.String())),
    expiresAt: Type.Optional(instant),
    note: Type.Optional(Type.String()),
    disabledBy: Type.Optional(Type.String()),
    disabledRole: Type.Optional(Type.String()),
  }),
);
export type KeyChanged = Document<typeof KeyChanged>;
