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

const inPages = 'Only with `limit` or a filter';

/** A key of a list, with its place in a rotation. */
export const ListedKey = Type.Object({
  ...KeyInUse.properties,
  state: Type.Optional(
    Type.Enum(['replaced', 'new', 'active', 'expired', 'disabled'], {
      description: `${inPages}. Replaced: it still works, as does the key that replaces it`,
    }),
  ),
  replacedBy: Type.Optional(Type.String({ description: 'The newest key rotated after it' })),
  contact: Type.Optional(Type.String({ description: `${inPages}. A person or team` })),
});
export type ListedKey = Document<typeof ListedKey>;

/** `GET /keys` and `GET /apps/:app/keys`: all keys, or a page where a filter or limit is given. */
export const KeysPage = Type.Object({
  ...pageOf(ListedKey).properties,
  before: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The cursor of the page before; empty for the first page; null on it',
    }),
  ),
  first: Type.Optional(Type.Integer({ minimum: 1, description: 'The place of the first key' })),
  count: Type.Optional(Type.Integer({ minimum: 0, description: 'Keys on all pages' })),
});
export type KeysPage = Document<typeof KeysPage>;

const counted = Type.Array(Type.Object({ value: Type.String(), count }), {
  description: 'The most frequent first, at most 200',
});

/** `GET /key-counts`. */
export const KeyCounts = Type.Object({
  states: Type.Object({ all: count, used: count, rotating: count, disabled: count }),
  ...{ apps: counted, contacts: counted },
  openRotations: Type.Object({
    count,
    first: Type.Array(
      Type.Object({
        id: Type.String(),
        app: Type.String(),
        lastUsedAt: nullable(instant),
        expiresAt: nullable(instant),
      }),
      { description: 'Replaced keys that still work, at most 3' },
    ),
  }),
});
export type KeyCounts = Document<typeof KeyCounts>;

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
