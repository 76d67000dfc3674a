import Type from 'typebox';
import { roles } from '../../domain/role.ts';
import { type Document, instant, type Page, pageOf } from './shapes.ts';

const role = Type.Enum([...roles]);
const apps = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'Visible apps; null for all',
});

export const RightName = Type.Enum([
  ...(['look', 'spend', 'users', 'keys', 'money', 'wallets', 'operate', 'access'] as const),
]);
export type RightName = Document<typeof RightName>;

const Right = Type.Object({ right: RightName, says: Type.String(), roles: Type.Array(role) });

export const Rights = Type.Array(Right);
export type RightsPage = Page<Document<typeof Right>>;

export const SessionDocument = Type.Object({
  name: Type.String(),
  role,
  apps,
  may: Type.Array(RightName),
  via: Type.Enum(['session', 'token']),
  expiresAt: instant,
  version: Type.String(),
  company: Type.String(),
});
export type SessionDocument = Document<typeof SessionDocument>;

export const LoginResult = Type.Object({
  ...SessionDocument.properties,
  pageSecret: Type.Union([Type.String(), Type.Null()], {
    description: 'To be sent as `x-console-secret` with the cookie; null if the cookie is enough',
  }),
});
export type LoginResult = Document<typeof LoginResult>;

/** `POST /session`: the code of a link works once. */
export const LogIn = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);
export type LogIn = Document<typeof LogIn>;

export const Done = Type.Object({ done: Type.Boolean() });
export type Done = Document<typeof Done>;

export const OpenSession = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role,
  apps,
  createdAt: instant,
  seenAt: instant,
  expiresAt: instant,
  isOwn: Type.Boolean(),
});
export type OpenSession = Document<typeof OpenSession>;

/** `GET /sessions`, newest first. */
export const OpenSessions = Type.Array(OpenSession);
export type SessionsPage = Page<OpenSession>;

/** Valid for one login. */
export const LoginLink = Type.Object({ name: Type.String(), role, apps, link: Type.String() });

/** Excludes its secret. */
export const AdminToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role,
  apps,
  enabled: Type.Boolean(),
  createdAt: instant,
  expiresAt: instant,
});
export type AdminToken = Document<typeof AdminToken>;

/** Newest first. */
export const AdminTokens = Type.Array(AdminToken);

export const TokensPage = pageOf(AdminToken);
export type TokensPage = Document<typeof TokensPage>;

/** Shown only once, at creation. */
export const IssuedToken = Type.Object({ ...AdminToken.properties, token: Type.String() });
export type IssuedToken = Document<typeof IssuedToken>;
