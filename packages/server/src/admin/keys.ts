import { keyNameFor, roleOf } from '../domain/key-name.ts';
import { didYouMean } from '../lib/nearest.ts';
import { isPossibleKey, makeKey } from '../registry/key-format.ts';
import { hashKey } from '../registry/key-ring.ts';
import type { Statement } from '../store/port.ts';
import { selectBudgets } from '../store/queries/budgets.ts';
import * as sql from '../store/queries/operator-statements.ts';
import { type ApiKeyRow, selectKeys } from '../store/queries/registry.ts';
import { AdminError } from './admin-error.ts';
import { appRow } from './apps.ts';
import { auditLine } from './audit-line.ts';
import { defineBudget } from './budget-changes.ts';
import { changeRegistry } from './change-registry.ts';
import type { AdminContext } from './context.ts';
import { type KeyDocument, keyDocument, keyScope } from './key-document.ts';

/** A key as it is shown once, when it is made. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly customerId: string;
  /** Null for a name off the convention, or of another customer: its calls get 401. */
  readonly role: 'user' | 'admin' | null;
}

/** Makes a key for an app and the person who asked for it. */
export async function issueKey(
  context: AdminContext,
  request: {
    readonly app: string;
    readonly email: string;
    /** True for a key that the first start prints. */
    readonly isSample?: boolean;
    /** What it may not pass, beside what its app may not. */
    readonly limits?: KeyLimits;
  },
): Promise<IssuedKey> {
  await appRow(context, request.app);
  checkEmail(request.email);
  const { id, key } = makeKey(context.ids);
  const name = keyNameFor({ ...request, adminEmail: context.adminEmail });
  const { isSample, limits } = request;
  return insertKey(context, { id, key, name, customerId: request.app }, { ...limits, isSample });
}

/** Throws an AdminError for a text that is no e-mail address. */
export function checkEmail(email: string): void {
  if (emailPattern.test(email)) return;
  throw new AdminError(
    `"${email}" is no e-mail address; write one such as team@acme.example, without spaces, ":" and characters that cannot be seen`,
    { isBadValue: true },
  );
}

/** What a key may not pass, beside what its app may not. */
export interface KeyLimits {
  readonly dailyPicoUsd?: bigint | undefined;
  readonly monthlyPicoUsd?: bigint | undefined;
  readonly models?: readonly string[] | undefined;
  /** From when on it is unknown. */
  readonly expiresAt?: number | undefined;
  readonly note?: string | undefined;
}

/**
 * Makes another key of the same name, with the first one's limits, budgets and plan: what either
 * uses counts for both. The old one works until it is disabled, expires, or its grace is over.
 */
export async function rotateKey(
  context: AdminContext,
  id: string,
  limits: Pick<KeyLimits, 'expiresAt'> & {
    /** How long the old one goes on to work; undefined for as long as it does anyway. */
    readonly graceMs?: number | undefined;
  },
): Promise<RotatedKey> {
  const old = await keyRow(context, id);
  if (!old.isEnabled) {
    throw new AdminError(
      `the key ${id} is disabled: "keys enable ${id}" enables it, "keys issue" makes another`,
    );
  }
  const made = makeKey(context.ids);
  const { name, customerId, lineage, note } = old;
  const models = old.models && [...old.models];
  const expiresAt = limits.expiresAt ?? old.expiresAt;
  const parts = { lineage, models, expiresAt, note, rotatedFrom: id };
  const { graceMs } = limits;
  const end = graceMs === undefined ? undefined : context.clock.now() + graceMs;
  const oldEnds = end === undefined || end < (old.expiresAt ?? Infinity) ? end : old.expiresAt;
  const ending = end === undefined ? [] : expireKey(context, old, end);
  const issued = await insertKey(context, { ...made, name, customerId }, parts, ending);
  return oldEnds === undefined ? issued : { ...issued, oldEndsAt: new Date(oldEnds).toISOString() };
}

/** A key that takes the place of another. */
export interface RotatedKey extends IssuedKey {
  /** When the grace of the old one is over; missing where it has none. */
  readonly oldEndsAt?: string;
}

/** Lets a key end then, unless it ends before. */
function expireKey(context: AdminContext, { id, expiresAt }: ApiKeyRow, end: number) {
  if (expiresAt !== undefined && expiresAt <= end) return [];
  const before = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  const after = new Date(end).toISOString();
  return [
    { sql: sql.expireKey, values: [id, end] },
    auditLine(context, { action: 'key.expire', subject: id, before, after }),
  ];
}

/** No invisible character, or one that makes another address of it where it is shown. */
const emailPattern =
  /^[^\s:\p{Cc}\p{Cf}\p{Cs}][^\s:@\p{Cc}\p{Cf}\p{Cs}]*@[^\s:\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Takes a key of any name; `key` is one made elsewhere, or undefined for a new one. */
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
      'the key on standard input is none: 20–256 printable characters, and a right checksum for mgk_ keys',
      { isBadValue: true },
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
}

async function insertKey(
  context: AdminContext,
  issued: { id: string; key: string; name: string; customerId: string },
  { isSample = false, rotatedFrom, models, ...limits }: NewKey = {},
  more: readonly Statement[] = [],
): Promise<IssuedKey> {
  const { id, key, name, customerId } = issued;
  const { expiresAt, note, lineage } = limits;
  refusePast(context, expiresAt);
  const action = rotatedFrom === undefined ? 'key.issue' : 'key.rotate';
  const [inserted] = await changeRegistry(context, [
    {
      sql: sql.insertKey.sql,
      values: sql.insertKey.bind({
        ...{ id, keyHash: hashKey(key), name, customerId, enabled: true },
        ...{ createdAt: context.clock.now(), isSample: isSample || undefined },
        ...{ lineage, models: models && JSON.stringify(models), expiresAt, note },
      }),
      abortIfNoRows: true,
    },
    ...keyBudgets(context, id, limits),
    ...more,
    auditLine(context, { action, subject: id, before: rotatedFrom, after: name }),
  ]);
  if (inserted === 0) throw new AdminError('this key exists; "keys list" shows its id');
  return { ...issued, role: roleOf(issued) ?? null };
}

function refusePast({ clock }: AdminContext, expiresAt: number | undefined) {
  if (expiresAt === undefined || expiresAt > clock.now()) return;
  throw new AdminError(
    `the key would expire at ${new Date(expiresAt).toISOString()}, which is over; name a later moment`,
    { isBadValue: true },
  );
}

/** The caps of a key that is the first of its own. */
function keyBudgets(context: AdminContext, id: string, limits: KeyLimits): readonly Statement[] {
  const caps = [
    { span: 'day', capPicoUsd: limits.dailyPicoUsd } as const,
    { span: 'month', capPicoUsd: limits.monthlyPicoUsd } as const,
  ];
  return caps.flatMap(({ span, capPicoUsd }) => {
    if (capPicoUsd === undefined) return [];
    return defineBudget(context, undefined, {
      ...{ scope: keyScope(id), span, capPicoUsd, mode: 'enforce', isVisible: true },
      ...{ members: undefined, origin: 'command', sinceMs: context.clock.now() },
      fileValues: undefined,
    });
  });
}

/** Enables a key that was disabled: within 1 s every replica knows it again. */
export async function enableKey(context: AdminContext, id: string): Promise<KeyDocument> {
  const row = await keyRow(context, id);
  await changeRegistry(context, [
    { sql: sql.enableKey, values: [id], abortIfNoRows: true },
    auditLine(context, { action: 'key.enable', subject: id, after: row.name }),
  ]);
  return documentOf(context, { ...row, isEnabled: true });
}

/** A key by its id. Throws an AdminError when there is none. */
export async function keyRow(context: AdminContext, id: string): Promise<ApiKeyRow> {
  const rows = await context.store.read(selectKeys);
  const row = rows.find((key) => key.id === id);
  if (row !== undefined) return row;
  throw noSuchKey(
    id,
    rows.map((key) => key.id),
  );
}

/** What is said of an id that no key has, or none that may be seen. */
export function noSuchKey(id: string, known: readonly string[] = []): AdminError {
  return new AdminError(`there is no key ${id}; "keys list" shows their ids`, {
    isUnknown: true,
    hint: didYouMean(id, known),
  });
}

/** Disables a key: within 1 s it is unknown to every replica. */
export async function disableKey(context: AdminContext, id: string): Promise<KeyDocument> {
  const row = await keyRow(context, id);
  await changeRegistry(context, [
    { sql: sql.disableKey, values: [id], abortIfNoRows: true },
    auditLine(context, { action: 'key.disable', subject: id, before: row.name }),
  ]);
  return documentOf(context, { ...row, isEnabled: false });
}

async function documentOf({ store }: AdminContext, row: ApiKeyRow): Promise<KeyDocument> {
  return keyDocument(row, await store.read(selectBudgets));
}
