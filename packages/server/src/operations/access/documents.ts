import Type from 'typebox';
import { roles } from '../../domain/role.ts';
import { type Document, instant, type Page, pageOf } from '../shapes.ts';

const role = Type.Enum([...roles]);
const apps = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'The only apps that are seen; null for all',
});

/** Something that a role may give a right to. */
export const RightName = Type.Enum([
  ...(['look', 'spend', 'users', 'keys', 'money', 'wallets', 'operate', 'access'] as const),
]);
export type RightName = Document<typeof RightName>;

const Right = Type.Object({ right: RightName, says: Type.String(), roles: Type.Array(role) });

/** `GET /roles`: which roles may what. */
export const Rights = Type.Array(Right);
export type RightsPage = Page<Document<typeof Right>>;

/** `GET /session`: who asks, and what they may. */
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

/** `POST /session`: the session that the login has opened. */
export const LoggedIn = Type.Object({
  ...SessionDocument.properties,
  pageSecret: Type.Union([Type.String(), Type.Null()], {
    description: 'Send it as `x-console-secret` with the cookie; null if the cookie is enough',
  }),
});
export type LoggedIn = Document<typeof LoggedIn>;

/** `POST /session`: the code of a link, which is spent. */
export const LogIn = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);
export type LogIn = Document<typeof LogIn>;

/** That it was done. */
export const Done = Type.Object({ done: Type.Boolean() });
export type Done = Document<typeof Done>;

/** A session that is open. */
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

/** `GET /sessions`, the newest first. */
export const OpenSessions = Type.Array(OpenSession);
export type SessionsPage = Page<OpenSession>;

/** A link that logs in once. */
export const LoginLink = Type.Object({ name: Type.String(), role, apps, link: Type.String() });

/** A token of a script, without its secret. */
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

/** Tokens, the newest first. */
export const AdminTokens = Type.Array(AdminToken);

/** `GET /tokens`. */
export const TokensPage = pageOf(AdminToken);
export type TokensPage = Document<typeof TokensPage>;

/** A token as it is shown once, when it is made. */
export const IssuedToken = Type.Object({ ...AdminToken.properties, token: Type.String() });
export type IssuedToken = Document<typeof IssuedToken>;
