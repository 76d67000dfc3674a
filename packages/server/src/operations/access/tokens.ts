import { roles } from '../../domain/role.ts';
import * as sql from '../../store/queries/console-access.ts';
import type { StoredToken } from '../../store/schema/console-tables.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import {
  appNames,
  argument,
  count,
  id,
  initially,
  line,
  oneOf,
  optional,
} from '../description/field.ts';
import type { Operation } from '../description/operation.ts';
import { operation } from '../description/operation.ts';
import { factLines, tableLines, yesNo } from '../description/text-lines.ts';
import type { AdminToken, IssuedToken } from '../documents/access.ts';
import {
  type Access,
  checkAccess,
  checkApps,
  idOf,
  matchesSecret,
  newSecret,
  readApps,
  roleText,
  writtenApps,
} from './console-access.ts';

const dayMs = 86_400_000;

const issue = operation({
  name: 'tokens issue',
  about: 'issue a token; it is shown once',
  right: 'access',
  kind: 'change',
  http: ['POST /tokens'],
  status: 201,
  isBare: true,
  input: {
    name: line(128, 'purpose of the token', 'name'),
    role: initially('operator', oneOf(roles, 'role', 'role')),
    apps: optional(appNames('visible apps, for example a,b (required for the role team)')),
    days: initially('90', count(365, 'lifetime in days, at most 365')),
  },
  example: { name: 'reports', role: 'finance' },
  result: async () => (await import('../documents/access.ts')).IssuedToken,
  run: ({ admin }, input) => issueToken(admin, input),
  lines: (token) => [
    ...factLines(factsOf(token)),
    ...['', `  ${token.token}`, '', 'The token is shown only now; only its hash is stored.'],
  ],
});

const list = operation({
  name: 'tokens list',
  about: 'list tokens (the secrets are not stored)',
  right: 'access',
  http: ['GET /tokens'],
  opens: 'store',
  result: async () => (await import('../documents/access.ts')).AdminTokens,
  run: async ({ admin }) => (await admin.store.read(sql.selectTokens)).map(documentOf),
  lines: (tokens) =>
    tableLines(
      ['token', 'name', 'role', 'apps', 'enabled', 'expires'],
      tokens.map((token) => factsOf(token).map(([, value]) => value)),
      'No tokens. Run "tokens issue" to create one.',
    ),
});

const disable = operation({
  name: 'tokens disable',
  about: 'disable a token permanently',
  right: 'access',
  kind: 'change',
  http: ['POST /tokens/:id/disable'],
  opens: 'store',
  isBare: true,
  input: { id: argument(id('token id')) },
  example: { id: 'tok_01' },
  result: async () => (await import('../documents/access.ts')).AdminToken,
  run: ({ admin }, input) => disableToken(admin, input.id),
  lines: (token) => factLines(factsOf(token)),
});

export const tokens: readonly Operation[] = [issue, list, disable];

export async function issueToken(
  admin: AdminContext,
  { days, ...access }: Access & { readonly days: number },
): Promise<IssuedToken> {
  checkAccess(access);
  const { name, role, apps } = access;
  await checkApps(admin, apps);
  const { id: tokenId, secret, hash } = newSecret(admin, 'mgt');
  const createdAt = admin.clock.now();
  const expiresAt = createdAt + days * dayMs;
  const row = { id: tokenId, hash, name, role, apps: writtenApps(apps), enabled: true };
  const token = { ...row, createdAt, expiresAt };
  const after = `${name}: ${roleText(access)}`;
  await admin.store.write([
    sql.insertToken(token),
    auditLine(admin, { action: 'token.issue', subject: tokenId, after }),
  ]);
  return { ...documentOf(token), token: secret };
}

/** A disabled token cannot be enabled again. A repeated call writes no audit line. */
export async function disableToken(admin: AdminContext, tokenId: string): Promise<AdminToken> {
  const row = await admin.store.read(sql.selectToken(tokenId));
  if (row === undefined)
    throw new AdminError(`unknown token ${tokenId}; "tokens list" shows the ids`, {
      isUnknown: true,
    });
  await admin.store.write([
    sql.disableTokenRow(tokenId),
    auditLine(admin, { action: 'token.disable', subject: tokenId, before: row.name }),
  ]);
  return documentOf({ ...row, enabled: false });
}

/** Undefined for a wrong, disabled or expired token. */
export async function findToken(
  { store, clock }: AdminContext,
  text: string,
): Promise<(Access & { readonly id: string; readonly expiresAt: number }) | undefined> {
  const tokenId = idOf('mgt', text);
  const row = tokenId === undefined ? undefined : await store.read(sql.selectToken(tokenId));
  if (row === undefined || !matchesSecret(row, text)) return undefined;
  if (!row.enabled || row.expiresAt <= clock.now()) return undefined;
  const { name, role, expiresAt } = row;
  return { id: row.id, name, role, apps: readApps(row.apps), expiresAt };
}

function documentOf({ id: tokenId, name, role, enabled, ...row }: StoredToken): AdminToken {
  return {
    ...{ id: tokenId, name, role, apps: readApps(row.apps) ?? null, enabled },
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: new Date(row.expiresAt).toISOString(),
  };
}

function factsOf({ id: tokenId, name, role, apps, enabled, expiresAt }: AdminToken) {
  return [
    ['token', tokenId],
    ['name', name],
    ['role', role],
    ['apps', apps?.join(', ') ?? 'all'],
    ['enabled', yesNo(enabled)],
    ['expires', expiresAt],
  ] as const;
}
