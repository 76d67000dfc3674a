import type { Ids } from '../../lib/id.ts';
import { isSecretOf, readSecret } from '../../registry/key-format.ts';
import { hashKey } from '../../registry/key-ring.ts';
import * as sql from '../../store/queries/console-access.ts';
import type { StoredSession } from '../../store/schema/console-tables.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import {
  type Access,
  checkAccess,
  idOf,
  matchesSecret,
  newSecret,
  readApps,
  roleText,
  writtenApps,
} from './console-access.ts';

const codeMs = 300_000;
const touchIntervalMs = 60_000;

export interface SessionRow extends Access {
  readonly id: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
}

export interface LoginOptions {
  readonly hours: number;
  /** The browser's earlier cookie: a login ends its session. */
  readonly cookie: string | undefined;
  /** The browser sends the cookie to other ports too, so a second secret is needed. */
  readonly needsPageSecret: boolean;
}

/** The secrets are not stored anywhere else. */
export interface OpenedSession {
  readonly session: SessionRow;
  readonly cookie: string;
  readonly pageSecret: string | undefined;
}

/** The code opens one session, within 5 minutes. */
export async function makeLoginCode(context: AdminContext, access: Access): Promise<string> {
  checkAccess(access);
  const { store, clock } = context;
  const { id, secret, hash } = newSecret(context, 'mgl');
  const { name, role } = access;
  const apps = writtenApps(access.apps);
  const expiresAt = clock.now() + codeMs;
  await store.write([
    ...sql.deleteEnded(clock.now()),
    sql.insertCode({ id, hash, name, role, apps, expiresAt }),
    auditLine(context, { action: 'console.link', subject: name, after: roleText(access) }),
  ]);
  return secret;
}

/** Undefined for a wrong, expired or used code. */
export async function logIn(
  context: AdminContext,
  code: string,
  options: LoginOptions,
): Promise<OpenedSession | undefined> {
  const { store, clock } = context;
  const codeId = idOf('mgl', code);
  const row = codeId === undefined ? undefined : await store.read(sql.selectCode(codeId));
  if (row === undefined || !matchesSecret(row, code) || row.expiresAt <= clock.now())
    return undefined;
  const access = { name: row.name, role: row.role, apps: readApps(row.apps) };
  return openSession(context, access, { ...options, spending: row.id });
}

/** The provider has authenticated the person, identified by issuer and subject. */
export async function openPersonSession(
  context: AdminContext,
  access: Access,
  options: LoginOptions & { readonly person: string },
): Promise<OpenedSession> {
  checkAccess(access);
  const opened = await openSession(context, access, options);
  if (opened === undefined) throw new Error('nothing was to be spent');
  return opened;
}

/** Undefined where another login has already used the code. */
async function openSession(
  context: AdminContext,
  access: Access,
  options: LoginOptions & { readonly person?: string; readonly spending?: string },
): Promise<OpenedSession | undefined> {
  const { store, clock } = context;
  const { hours, spending } = options;
  const person = options.person === undefined ? undefined : hashKey(options.person);
  const { id, cookie, pageSecret } = newCookie(context, options);
  const hash = hashKey(cookie);
  const now = clock.now();
  const { name, role } = access;
  const apps = writtenApps(access.apps);
  const times = { createdAt: now, seenAt: now, expiresAt: now + hours * 3_600_000 };
  const ended = await endedBy(context, { name, role, apps, person }, options);
  const by = { ...context, actor: `console:${name}`, via: `${role} session ${id}` };
  const [, , counted = 1] = await store.write([
    ...sql.deleteEnded(now),
    ...(spending === undefined ? [] : [sql.spendCode(spending)]),
    ...ended.flatMap((row) => [
      sql.replaceSession(row.id),
      auditLine(by, { action: 'console.logout', subject: row.id, before: row.name }),
    ]),
    sql.insertSession({ id, hash, name, role, apps, person, ...times }),
    auditLine(by, { action: 'console.login', subject: id, after: roleText(access) }),
  ]);
  if (spending !== undefined && counted === 0) return undefined;
  return { cookie, pageSecret, session: { id, ...access, ...times } };
}

function newCookie(context: AdminContext, { needsPageSecret }: LoginOptions) {
  const { id, secret } = newSecret(context, 'mgs');
  if (!needsPageSecret) return { id, cookie: secret, pageSecret: undefined };
  return { id, ...bindCookie(secret, context.ids) };
}

/** Returns the browser's session and the person's sessions with another role. */
async function endedBy(
  context: AdminContext,
  { name, role, apps, person }: Pick<StoredSession, 'name' | 'role' | 'apps' | 'person'>,
  { cookie }: LoginOptions,
): Promise<readonly Pick<StoredSession, 'id' | 'name'>[]> {
  // The id within a cookie is public: only the whole cookie proves whose session it is.
  const replaced = cookie === undefined ? undefined : await sessionOf(context, [cookie]);
  const own = await context.store.read(sql.selectSessionsOf(name, person));
  const former = own.filter(
    (row) =>
      row.id !== replaced?.id &&
      !isOver(row, context.clock.now()) &&
      (row.role !== role || row.apps !== apps),
  );
  return replaced === undefined ? former : [replaced, ...former];
}

export function findSession(
  context: AdminContext,
  credentials: SessionCredentials,
): Promise<SessionRow | undefined> {
  return sessionOf(context, usableCookies(credentials));
}

async function sessionOf(
  { store, clock }: AdminContext,
  cookies: readonly string[],
): Promise<SessionRow | undefined> {
  const id = sessionIdIn(cookies[0] ?? '');
  const row = id === undefined ? undefined : await store.read(sql.selectSession(id));
  const now = clock.now();
  if (row === undefined || isOver(row, now)) return undefined;
  if (!cookies.some((cookie) => matchesSecret(row, cookie))) return undefined;
  if (now - row.seenAt >= touchIntervalMs) await store.write([sql.touchSession(row.id, now)]);
  return sessionRow(row);
}

function isOver({ expiresAt, seenAt }: StoredSession, now: number): boolean {
  return expiresAt <= now || seenAt + sql.idleMs <= now;
}

function sessionRow({ hash: _, person: __, apps, ...row }: StoredSession): SessionRow {
  return { ...row, apps: readApps(apps) };
}

/** Newest first. */
export async function listSessions({ store, clock }: AdminContext): Promise<readonly SessionRow[]> {
  const rows = await store.read(sql.selectSessions);
  return rows.filter((row) => !isOver(row, clock.now())).map(sessionRow);
}

/** Throws an AdminError for an unknown session. */
export async function endSession(context: AdminContext, id: string): Promise<void> {
  const row = await context.store.read(sql.selectSession(id));
  const [ended] = await context.store.write([
    sql.deleteSession(id),
    auditLine(context, { action: 'console.logout', subject: id, before: row?.name }),
  ]);
  if (ended === 0)
    throw new AdminError(`unknown session ${id}; "sessions list" shows the ids`, {
      isUnknown: true,
    });
}

// Browsers send a loopback cookie to every port of the machine. Such a session has a second secret:
// the page stores it, and browsers send it to no other port. The cookie contains its hash, and the
// store has the hash of the whole cookie: neither can be replaced.

const secretCharacters = 43;

interface SessionCredentials {
  /** All cookies with the session's name: another port can add one. */
  readonly cookies: readonly string[];
  readonly pageSecret: string | undefined;
}

function bindCookie(
  secret: string,
  ids: Ids,
): { readonly cookie: string; readonly pageSecret: string } {
  const pageSecret = `${readSecret(secret)}_${ids.secret(secretCharacters)}`;
  return { cookie: `${secret}.${hashKey(pageSecret)}`, pageSecret };
}

function sessionIdIn(cookie: string): string | undefined {
  const [secret = ''] = cookie.split('.', 1);
  return isSecretOf('mgs', secret) ? readSecret(secret) : undefined;
}

/**
 * Returns the cookies bound to the second secret if all have one id, or the only cookie if it needs
 * no second secret.
 */
function usableCookies({ cookies, pageSecret }: SessionCredentials): readonly string[] {
  const bound = pageSecret === undefined ? [] : boundTo(cookies, pageSecret);
  if (bound.length > 0) return bound;
  return cookies.length === 1 ? cookies.filter((cookie) => !cookie.includes('.')) : [];
}

function boundTo(cookies: readonly string[], pageSecret: string): readonly string[] {
  const end = `.${hashKey(pageSecret)}`;
  const [id] = pageSecret.split('_', 1);
  return cookies.filter((cookie) => cookie.endsWith(end) && sessionIdIn(cookie) === id);
}
