import { keyNameFor, roleOf } from '../domain/key-name.ts';
import { hashKey, isPossibleKey, makeKey } from '../registry/key-format.ts';
import * as sql from '../store/queries/operator-statements.ts';
import { type ApiKeyRow, selectKeys } from '../store/queries/registry.ts';
import { AdminError } from './admin-error.ts';
import { appRow } from './apps.ts';
import { auditLine } from './audit-line.ts';
import { changeRegistry } from './change-registry.ts';
import type { AdminContext } from './context.ts';
import { type KeyDocument, keyDocument } from './key-document.ts';

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
  },
): Promise<IssuedKey> {
  await appRow(context, request.app);
  if (!emailPattern.test(request.email)) {
    throw new AdminError(
      `"${request.email}" is no e-mail address; write one such as team@acme.example, without spaces, ":" and characters that cannot be seen`,
      { isBadValue: true },
    );
  }
  const { id, key } = makeKey(context.ids);
  const name = keyNameFor({ ...request, adminEmail: context.adminEmail });
  return insertKey(context, { id, key, name, customerId: request.app }, request.isSample);
}

/** No invisible character, or one that makes another address of it where it is shown. */
const emailPattern = /^[^\s:\p{Cc}\p{Cf}\p{Cs}]+@[^\s:\p{Cc}\p{Cf}\p{Cs}]+$/u;

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

async function insertKey(
  context: AdminContext,
  issued: { id: string; key: string; name: string; customerId: string },
  isSample = false,
): Promise<IssuedKey> {
  const { id, key, name, customerId } = issued;
  const [inserted] = await changeRegistry(context, [
    {
      sql: sql.insertKey.sql,
      values: sql.insertKey.bind({
        ...{ id, keyHash: hashKey(key), name, customerId, enabled: true },
        ...{ createdAt: context.clock.now(), isSample: isSample || undefined },
        ...{ lineage: undefined, models: undefined, expiresAt: undefined, note: undefined },
      }),
      abortIfNoRows: true,
    },
    auditLine(context, { action: 'key.issue', subject: id, after: name }),
  ]);
  if (inserted === 0) throw new AdminError('this key exists; "keys list" shows its id');
  return { ...issued, role: roleOf(issued) ?? null };
}

/** Enables a key that was disabled: within 1 s every replica knows it again. */
export async function enableKey(context: AdminContext, id: string): Promise<KeyDocument> {
  const row = await keyRow(context, id);
  await changeRegistry(context, [
    { sql: sql.enableKey, values: [id], abortIfNoRows: true },
    auditLine(context, { action: 'key.enable', subject: id, after: row.name }),
  ]);
  return keyDocument({ ...row, isEnabled: true });
}

async function keyRow(context: AdminContext, id: string): Promise<ApiKeyRow> {
  const row = (await context.store.read(selectKeys)).find((key) => key.id === id);
  if (row !== undefined) return row;
  throw new AdminError(`there is no key ${id}; "keys list" shows their ids`);
}

/** Disables a key: within 1 s it is unknown to every replica. */
export async function disableKey(context: AdminContext, id: string): Promise<KeyDocument> {
  const row = await keyRow(context, id);
  await changeRegistry(context, [
    { sql: sql.disableKey, values: [id], abortIfNoRows: true },
    auditLine(context, { action: 'key.disable', subject: id, before: row.name }),
  ]);
  return keyDocument({ ...row, isEnabled: false });
}

/** Every key, or those of one app: by the name where it has the convention's form. */
export async function listKeys(
  context: AdminContext,
  app: string | undefined,
): Promise<readonly KeyDocument[]> {
  const keys = await context.store.read(selectKeys);
  return keys
    .filter((key) => app === undefined || (key.parsed?.app ?? key.customerId) === app)
    .map(keyDocument);
}
