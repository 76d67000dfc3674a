import type { StoredToken } from '../../store/console-tables.ts';
import * as sql from '../../store/queries/console-access.ts';
import { AdminError } from '../admin-error.ts';
import { auditLine } from '../audit-line.ts';
import type { AdminContext } from '../context.ts';
import {
  type Access,
  checkAccess,
  idOf,
  isOf,
  newSecret,
  readApps,
  roleText,
  writtenApps,
} from './console-access.ts';

/** No token lives longer. */
const daysMax = 365;
const dayMs = 86_400_000;

/** A token of a script, without its secret. */
export interface TokenDocument {
  readonly id: string;
  readonly name: string;
  readonly role: StoredToken['role'];
  /** Null for all. */
  readonly apps: readonly string[] | null;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A token as it is shown once, when it is made. */
export interface IssuedTokenDocument extends TokenDocument {
  readonly token: string;
}

/** Makes a token that works for so many days. */
export async function issueToken(
  context: AdminContext,
  access: Access & { readonly days: number },
): Promise<IssuedTokenDocument> {
  checkAccess(access);
  const { days, name, role } = access;
  if (!Number.isInteger(days) || days < 1 || days > daysMax) {
    throw new AdminError(`a token works for 1 to ${daysMax} days; ${days} is none`, {
      isBadValue: true,
    });
  }
  const { store, clock } = context;
  const { id, secret, hash } = newSecret(context, 'mgt');
  const createdAt = clock.now();
  const expiresAt = createdAt + days * dayMs;
  const apps = writtenApps(access.apps);
  const row = { id, hash, name, role, apps, enabled: true, createdAt, expiresAt };
  const after = `${name}: ${roleText(access)}`;
  await store.write([
    sql.insertToken(row),
    auditLine(context, { action: 'token.issue', subject: id, after }),
  ]);
  return { ...tokenDocument(row), token: secret };
}

/** Every token, the newest first. */
export async function listTokens({ store }: AdminContext): Promise<readonly TokenDocument[]> {
  return (await store.read(sql.selectTokens)).map(tokenDocument);
}

/** Disables a token for good. What is disabled already stays so, and no line says it again. */
export async function disableToken(context: AdminContext, id: string): Promise<TokenDocument> {
  const row = await context.store.read(sql.selectToken(id));
  if (row === undefined) throw new AdminError(`there is no token ${id}`, { isUnknown: true });
  await context.store.write([
    sql.disableTokenRow(id),
    auditLine(context, { action: 'token.disable', subject: id, before: row.name }),
  ]);
  return tokenDocument({ ...row, enabled: false });
}

/** The token of a text; undefined for one that is wrong, disabled or over. */
export async function findToken(
  { store, clock }: AdminContext,
  text: string,
): Promise<(Access & { readonly id: string; readonly expiresAt: number }) | undefined> {
  const id = idOf('mgt', text);
  const row = id === undefined ? undefined : await store.read(sql.selectToken(id));
  if (row === undefined || !isOf(row, text)) return undefined;
  if (!row.enabled || row.expiresAt <= clock.now()) return undefined;
  const { name, role, expiresAt } = row;
  return { id: row.id, name, role, apps: readApps(row.apps), expiresAt };
}

function tokenDocument(row: StoredToken): TokenDocument {
  const { id, name, role, enabled } = row;
  return {
    ...{ id, name, role, apps: readApps(row.apps) ?? null, enabled },
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: new Date(row.expiresAt).toISOString(),
  };
}
