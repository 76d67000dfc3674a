import { keyNameFor, parseKeyName, roleOf } from '../../domain/key-name.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { isPossibleKey, makeKey } from '../../registry/key-format.ts';
import { hashKey } from '../../registry/key-ring.ts';
import type { Statement } from '../../store/port/port.ts';
import { selectBudgetsOf } from '../../store/queries/budgets.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { type ApiKeyRow, selectKey, selectKeyIds } from '../../store/queries/registry.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import { changeRegistry } from '../context/change-registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { IssuedKey, KeyDocument, RotatedKey } from '../documents/keys.ts';
import { keyDocument, keyScope } from './key-document.ts';
import {
  expireKey,
  type KeyGrowth,
  keyBudgets,
  keysMaxError,
  refusePast,
  withinKeysMax,
} from './key-terms.ts';

export async function issueKey(
  context: AdminContext,
  request: {
    readonly app: string;
    readonly email: string;
    readonly isSample?: boolean;
    readonly limits?: KeyLimits;
  },
): Promise<IssuedKey> {
  await appRow(context, request.app);
  checkEmail(request.email);
  const { id, key } = makeKey(context.ids);
  const name = keyNameFor({ ...request, adminEmail: context.adminEmail });
  refuseAdminKeys(context, name);
  const { isSample, limits } = request;
  return insertKey(context, { id, key, name, customerId: request.app }, { ...limits, isSample });
}

/** Throws an AdminError for an invalid e-mail address. */
export function checkEmail(email: string): void {
  if (emailPattern.test(email)) return;
  throw new AdminError(
    `"${email}" is not a valid email address; use for example team@acme.example, without spaces, ":" or invisible characters`,
    { isBadValue: true, field: 'email' },
  );
}

/** An admin key sees more than a team may, so only operators issue admin keys. */
function refuseAdminKeys({ role }: AdminContext, name: string): void {
  if (role !== 'team' || parseKeyName(name)?.role !== 'admin') return;
  throw new AdminError('A team cannot issue a key to the adminEmail address', {
    isForbidden: true,
  });
}

export interface KeyLimits {
  readonly dailyPicoUsd?: bigint | undefined;
  readonly monthlyPicoUsd?: bigint | undefined;
  readonly models?: readonly string[] | undefined;
  readonly expiresAt?: number | undefined;
  readonly note?: string | undefined;
}

/**
 * The new key shares name, limits, budgets, rate limit and usage with the old key. The old key
 * works until disabled, expired or past its grace period.
 */
export async function rotateKey(
  context: AdminContext,
  id: string,
  limits: Pick<KeyLimits, 'expiresAt'> & {
    /** The old key's grace period; undefined: until its own expiry. */
    readonly graceMs?: number | undefined;
  },
): Promise<RotatedKey> {
  const old = await keyRow(context, id);
  refuseAdminKeys(context, old.name);
  if (!old.isEnabled) throw disabledError(id);
  const made = makeKey(context.ids);
  const { name, customerId, lineage, note } = old;
  const models = old.models && [...old.models];
  const expiresAt = limits.expiresAt ?? old.expiresAt;
  const { graceMs } = limits;
  const growth = graceMs === undefined ? 'one-more' : 'replaced';
  const parts = { lineage, models, expiresAt, note, rotatedFrom: id, growth } as const;
  const end = graceMs === undefined ? undefined : context.clock.now() + graceMs;
  const oldEnds = end === undefined || end < (old.expiresAt ?? Infinity) ? end : old.expiresAt;
  const ending = end === undefined ? [] : expireKey(context, old, end);
  const issued = await insertKey(context, { ...made, name, customerId }, parts, ending);
  return oldEnds === undefined ? issued : { ...issued, oldEndsAt: new Date(oldEnds).toISOString() };
}

function disabledError(id: string): AdminError {
  return new AdminError(`the key ${id} is disabled; run "keys enable ${id}", or issue a new key`);
}

/** Excludes invisible characters and lookalikes of other addresses. */
const emailPattern =
  /^[^\s:\p{Cc}\p{Cf}\p{Cs}][^\s:@\p{Cc}\p{Cf}\p{Cs}]*@[^\s:\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Accepts any name. `key` comes from another system; undefined generates one. */
export async function importKey(
  context: AdminContext,
  request: {
    readonly name: string;
    readonly customerId: string;
    readonly key: string | undefined;
  },
): Promise<IssuedKey> {
  const made = makeKey(context.ids);
  const key = request.key ?? made.key;
  if (!isPossibleKey(key)) {
    throw new AdminError(
      'invalid key on standard input: use 20–256 printable characters (mgk_ keys also need a valid checksum)',
      { isBadValue: true, field: 'key' },
    );
  }
  return insertKey(context, {
    id: made.id,
    key,
    name: request.name,
    customerId: request.customerId,
  });
}

interface NewKey extends KeyLimits {
  readonly isSample?: boolean | undefined;
  readonly lineage?: string | undefined;
  readonly rotatedFrom?: string | undefined;
  readonly growth?: KeyGrowth;
}

async function insertKey(
  context: AdminContext,
  issued: { id: string; key: string; name: string; customerId: string },
  { isSample = false, rotatedFrom, models, growth = 'one-more', ...limits }: NewKey = {},
  more: readonly Statement[] = [],
): Promise<IssuedKey> {
  const { id, key, name, customerId } = issued;
  const { expiresAt, note, lineage } = limits;
  refusePast(context, expiresAt);
  const action = rotatedFrom === undefined ? 'key.issue' : 'key.rotate';
  const [inserted, within, rotated] = await changeRegistry(context, [
    {
      sql: sql.insertKey.sql,
      values: sql.insertKey.bind({
        ...{ id, keyHash: hashKey(key), name, customerId, enabled: true },
        ...{ createdAt: context.clock.now(), isSample: isSample || undefined },
        ...{ lineage, models: models && JSON.stringify(models), expiresAt, note },
      }),
      abortIfNoRows: true,
    },
    withinKeysMax(context, customerId, growth),
    ...(rotatedFrom === undefined ? [] : [stillEnabled(rotatedFrom)]),
    ...keyBudgets(context, id, limits),
    ...more,
    auditLine(context, { action, subject: id, before: rotatedFrom, after: name }),
  ]);
  if (inserted === 0) throw new AdminError('this key already exists; "keys list" shows its id');
  if (rotatedFrom !== undefined && rotated === 0) throw disabledError(rotatedFrom);
  if (within === 0) throw await keysMaxError(context, customerId, growth);
  return { ...issued, role: roleOf(issued) ?? null };
}

/** A rotation must not overtake a disabling. */
function stillEnabled(id: string): Statement {
  return { sql: sql.checkKeyEnabled, values: [id], abortIfNoRows: true };
}

/** Takes effect on every replica within 1 s. A team enables only keys that a team disabled. */
export async function enableKey(context: AdminContext, id: string): Promise<KeyDocument> {
  const row = await keyRow(context, id);
  refuseAdminKeys(context, row.name);
  const statement = context.role === 'team' ? sql.enableKeyOfTeam : sql.enableKey;
  const [enabled, within] = await changeRegistry(context, [
    { sql: statement, values: [id], abortIfNoRows: true },
    withinKeysMax(context, row.customerId, 'one-more'),
    auditLine(context, { action: 'key.enable', subject: id, after: row.name }),
  ]);
  // The key's current state shows whether the write took effect.
  const now = await keyRow(context, id);
  if (now.isEnabled) return documentOf(context, now);
  if (enabled === 0) throw onlyOperators(now);
  if (within === 0) throw await keysMaxError(context, row.customerId, 'one-more');
  return documentOf(context, now);
}

function onlyOperators({ id, disabledBy }: ApiKeyRow): AdminError {
  const actor = disabledBy === undefined ? 'an unknown actor' : disabledBy;
  return new AdminError(
    `only an operator can enable the key ${id}, which ${actor} disabled. Ask an operator, or issue another key`,
    { isForbidden: true },
  );
}

/** Throws an AdminError for an unknown key. */
export async function keyRow(context: AdminContext, id: string): Promise<ApiKeyRow> {
  const row = await context.store.read(selectKey(id));
  if (row !== undefined) return row;
  const ids = await context.store.readForOperator(selectKeyIds(comparedMax + 1));
  throw noSuchKey(id, ids.length > comparedMax ? [] : ids);
}

/** With more keys, no match is suggested: the search would delay calls. */
const comparedMax = 1_000;

/** Returns the same error for an unknown id and a hidden one. */
export function noSuchKey(id: string, known: readonly string[] = []): AdminError {
  return new AdminError(`unknown key ${id}; run "keys list"`, {
    isUnknown: true,
    hint: didYouMean(id, known),
  });
}

/**
 * Every replica rejects the key within 1 s. If an operator disables a key that a team disabled,
 * only operators can enable it.
 */
export async function disableKey(context: AdminContext, id: string): Promise<KeyDocument> {
  const { name } = await keyRow(context, id);
  const { actor, role = 'operator' } = context;
  await changeRegistry(context, [
    { sql: sql.disableKey, values: [id, actor, role], abortIfNoRows: true },
    auditLine(context, { action: 'key.disable', subject: id, before: name }),
  ]);
  return documentOf(context, await keyRow(context, id));
}

async function documentOf({ store }: AdminContext, row: ApiKeyRow): Promise<KeyDocument> {
  return keyDocument(row, await store.read(selectBudgetsOf(keyScope(row.lineage))));
}
