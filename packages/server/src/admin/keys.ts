import { hashKey, isPossibleKey, makeKey } from '../registry/key-format.ts';
import { keyNameFor, roleOf } from '../registry/key-name.ts';
import { type ApiKeyRow, selectKeys } from '../registry/queries.ts';
import { appRow } from './apps.ts';
import { auditLine, changeRegistry, type Office, OfficeError } from './office.ts';
import * as sql from './statements.ts';

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
  office: Office,
  request: {
    readonly app: string;
    readonly email: string;
    /** True for a key that the first start prints. */
    readonly isSample?: boolean;
  },
): Promise<IssuedKey> {
  await appRow(office, request.app);
  if (!emailPattern.test(request.email)) {
    throw new OfficeError(
      `"${request.email}" is no e-mail address; write one such as team@acme.example, without spaces, ":" and characters that cannot be seen`,
      { isBadValue: true },
    );
  }
  const { id, key } = makeKey(office.ids);
  const name = keyNameFor({ ...request, adminEmail: office.adminEmail });
  return keep(office, { id, key, name, customerId: request.app }, request.isSample);
}

/** No character that nobody sees, or that makes another address of it where it is shown. */
const emailPattern = /^[^\s:\p{Cc}\p{Cf}\p{Cs}]+@[^\s:\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Takes a key of any name; `key` is one made elsewhere, or undefined for a new one. */
export async function importKey(
  office: Office,
  request: {
    readonly name: string;
    readonly customerId: string;
    readonly key: string | undefined;
  },
): Promise<IssuedKey> {
  const made = makeKey(office.ids);
  const key = request.key ?? made.key;
  if (!isPossibleKey(key)) {
    throw new OfficeError(
      'the key on standard input is none: 20–256 printable characters, and a right checksum for mgk_ keys',
      { isBadValue: true },
    );
  }
  return keep(office, { id: made.id, key, name: request.name, customerId: request.customerId });
}

async function keep(
  office: Office,
  issued: { id: string; key: string; name: string; customerId: string },
  isSample = false,
): Promise<IssuedKey> {
  const { id, key, name, customerId } = issued;
  const [inserted] = await changeRegistry(office, [
    {
      sql: sql.insertKey,
      values: [id, hashKey(key), name, customerId, office.clock.now(), isSample ? 1 : null],
      isDecisive: true,
    },
    auditLine(office, { action: 'key.issue', subject: id, after: name }),
  ]);
  if (inserted === 0) throw new OfficeError('this key exists; "keys list" shows its id');
  return { ...issued, role: roleOf(issued) ?? null };
}

/** Enables a key that was disabled: within 1 s every replica knows it again. */
export async function enableKey(office: Office, id: string): Promise<ApiKeyRow> {
  const row = await keyRow(office, id);
  await changeRegistry(office, [
    { sql: sql.enableKey, values: [id], isDecisive: true },
    auditLine(office, { action: 'key.enable', subject: id, after: row.name }),
  ]);
  return { ...row, isEnabled: true };
}

async function keyRow(office: Office, id: string): Promise<ApiKeyRow> {
  const row = (await listKeys(office, undefined)).find((key) => key.id === id);
  if (row !== undefined) return row;
  throw new OfficeError(`there is no key ${id}; "keys list" shows their ids`);
}

/** Disables a key: within 1 s it is unknown to every replica. */
export async function disableKey(office: Office, id: string): Promise<ApiKeyRow> {
  const row = await keyRow(office, id);
  await changeRegistry(office, [
    { sql: sql.disableKey, values: [id], isDecisive: true },
    auditLine(office, { action: 'key.disable', subject: id, before: row.name }),
  ]);
  return { ...row, isEnabled: false };
}

/** Every key, or those of one app: by the name where it has the convention's form. */
export async function listKeys(
  office: Office,
  app: string | undefined,
): Promise<readonly ApiKeyRow[]> {
  const keys = await office.store.read(selectKeys);
  return app === undefined
    ? keys
    : keys.filter((key) => (key.parsed?.app ?? key.customerId) === app);
}
