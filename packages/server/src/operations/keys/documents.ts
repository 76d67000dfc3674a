import Type from 'typebox';
import { count, type Document, instant, nullable, pageOf, usd } from '../shapes.ts';

/** A key, and what became of it: never the key itself. */
export const KeyInUse = Type.Object({
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
  disabledBy: Type.Optional(
    Type.String({ description: 'Missing where it is enabled, or where that is unknown' }),
  ),
  disabledRole: Type.Optional(
    Type.String({ description: 'What a team has disabled, a team can enable' }),
  ),
  lastUsedAt: Type.Union([instant, Type.Null()], { description: 'To a minute' }),
  callsToday: Type.Union([count, Type.Null()], {
    description: 'Null where there are more calls than could be counted',
  }),
  spentTodayUsd: nullable(usd),
});
export type KeyInUse = Document<typeof KeyInUse>;

/** `GET /keys` and `GET /apps/:app/keys`. */
export const KeysPage = pageOf(KeyInUse);
export type KeysPage = Document<typeof KeysPage>;
