import Type from 'typebox';
import { changed, count, type Document, instant, nullable, pageOf, usd } from './shapes.ts';

const role = Type.Union([Type.Enum(['user', 'admin']), Type.Null()], {
  description:
    'Null if the name breaks the convention or belongs to another customer: its calls get 401',
});

export const KeyDocument = Type.Object({
  id: Type.String(),
  name: Type.String(),
  customerId: Type.String(),
  role,
  app: Type.Optional(
    Type.String({ description: 'Missing if the name does not have the form llm::<role>::…' }),
  ),
  enabled: Type.Boolean(),
  createdAt: instant,
  rotatedFrom: Type.Optional(Type.String({ description: 'First key of its rotations' })),
  dailyUsd: Type.Optional(usd),
  monthlyUsd: Type.Optional(usd),
  models: Type.Optional(Type.Array(Type.String())),
  expiresAt: Type.Optional(instant),
  note: Type.Optional(Type.String()),
  disabledBy: Type.Optional(
    Type.String({ description: 'Missing if the key is enabled, or if unknown' }),
  ),
  disabledRole: Type.Optional(
    Type.String({
      description: 'Role of that actor. A team can enable a key that a team disabled',
    }),
  ),
});
export type KeyDocument = Document<typeof KeyDocument>;

export const KeyInUse = Type.Object({
  ...KeyDocument.properties,
  lastUsedAt: Type.Union([instant, Type.Null()], { description: 'To a minute' }),
  callsToday: Type.Union([count, Type.Null()], {
    description: 'Null if there are too many calls to count',
  }),
  spentTodayUsd: nullable(usd),
});
export type KeyInUse = Document<typeof KeyInUse>;

const inPages = 'Present only with `limit` or a filter';

/** A key of a list, with its position in a rotation. */
export const ListedKey = Type.Object({
  ...KeyInUse.properties,
  state: Type.Optional(
    Type.Enum(['replaced', 'new', 'active', 'expired', 'disabled'], {
      description: `${inPages}. Replaced: it still works, as does the key that replaces it`,
    }),
  ),
  replacedBy: Type.Optional(Type.String({ description: 'Newest key that was rotated from it' })),
  contact: Type.Optional(Type.String({ description: `${inPages}. A person or team` })),
});
export type ListedKey = Document<typeof ListedKey>;

/**
 * `GET /keys` and `GET /apps/:app/keys`: all keys, or a page if the request has a filter or limit.
 */
export const KeysPage = Type.Object({
  ...pageOf(ListedKey).properties,
  before: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Cursor of the previous page: empty for the first page, null on the first page',
    }),
  ),
  first: Type.Optional(Type.Integer({ minimum: 1, description: 'Position of the first key' })),
  count: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of keys on all pages' })),
});
export type KeysPage = Document<typeof KeysPage>;

const counted = Type.Array(Type.Object({ value: Type.String(), count }), {
  description: 'Most frequent first, at most 200',
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

/** Shown only once, at creation. */
export const IssuedKey = Type.Object({
  id: Type.String(),
  key: Type.String({ description: 'The secret, shown only now' }),
  name: Type.String(),
  customerId: Type.String(),
  role,
});
export type IssuedKey = Document<typeof IssuedKey>;

export const RotatedKey = Type.Object({
  ...IssuedKey.properties,
  oldEndsAt: Type.Optional(
    Type.String({ format: 'date-time', description: "End of the old key's grace period" }),
  ),
});
export type RotatedKey = Document<typeof RotatedKey>;

export const KeyIssued = changed(RotatedKey);
export type KeyIssued = Document<typeof KeyIssued>;

export const KeyChanged = changed(KeyDocument);
export type KeyChanged = Document<typeof KeyChanged>;
