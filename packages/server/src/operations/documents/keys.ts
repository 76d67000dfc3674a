import Type from 'typebox';
import { changed, count, type Document, instant, nullable, pageOf, usd } from './shapes.ts';

const role = Type.Union([Type.Enum(['user', 'admin']), Type.Null()], {
  description: 'Null for a name off the convention, or of another customer: its calls get 401',
});

export const KeyDocument = Type.Object({
  id: Type.String(),
  name: Type.String(),
  customerId: Type.String(),
  role,
  app: Type.Optional(
    Type.String({ description: 'Missing where the name is not of the form llm::<role>::…' }),
  ),
  enabled: Type.Boolean(),
  createdAt: instant,
  rotatedFrom: Type.Optional(
    Type.String({ description: 'The key that it was rotated from first' }),
  ),
  dailyUsd: Type.Optional(usd),
  monthlyUsd: Type.Optional(usd),
  models: Type.Optional(Type.Array(Type.String())),
  expiresAt: Type.Optional(instant),
  note: Type.Optional(Type.String()),
  disabledBy: Type.Optional(
    Type.String({ description: 'Missing where it is enabled, or where that is unknown' }),
  ),
  disabledRole: Type.Optional(
    Type.String({ description: 'What a team has disabled, a team can enable' }),
  ),
});
export type KeyDocument = Document<typeof KeyDocument>;

export const KeyInUse = Type.Object({
  ...KeyDocument.properties,
  lastUsedAt: Type.Union([instant, Type.Null()], { description: 'To a minute' }),
  callsToday: Type.Union([count, Type.Null()], {
    description: 'Null where there are more calls than could be counted',
  }),
  spentTodayUsd: nullable(usd),
});
export type KeyInUse = Document<typeof KeyInUse>;

export const KeysInUse = Type.Array(KeyInUse);

/** `GET /keys` and `GET /apps/:app/keys`. */
export const KeysPage = pageOf(KeyInUse);
export type KeysPage = Document<typeof KeysPage>;

/** Shown once, when the key is made. */
export const IssuedKey = Type.Object({
  id: Type.String(),
  key: Type.String({ description: 'The secret: it is shown now and never again' }),
  name: Type.String(),
  customerId: Type.String(),
  role,
});
export type IssuedKey = Document<typeof IssuedKey>;

export const RotatedKey = Type.Object({
  ...IssuedKey.properties,
  oldEndsAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the grace of the old key is over' }),
  ),
});
export type RotatedKey = Document<typeof RotatedKey>;

export const KeyIssued = changed(RotatedKey);
export type KeyIssued = Document<typeof KeyIssued>;

export const KeyChanged = changed(KeyDocument);
export type KeyChanged = Document<typeof KeyChanged>;
