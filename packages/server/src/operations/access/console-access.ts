import type { Role } from '../../domain/role.ts';
import { didYouMean, listedNames } from '../../lib/nearest.ts';
import { isSecretOf, makeSecret, readSecret, type SecretKind } from '../../registry/key-format.ts';
import { hashKey, isSameDigest } from '../../registry/key-ring.ts';
import { selectApps } from '../../store/queries/registry.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';

export interface Access {
  readonly name: string;
  readonly role: Role;
  /** Undefined: all apps. */
  readonly apps: readonly string[] | undefined;
}

export function newSecret({ ids }: AdminContext, kind: SecretKind) {
  const { id, key } = makeSecret(kind, ids);
  return { id, secret: key, hash: hashKey(key) };
}

export function idOf(kind: SecretKind, text: string): string | undefined {
  return isSecretOf(kind, text) ? readSecret(text) : undefined;
}

/** The comparison reads all of both digests, so its duration reveals nothing. ADR 0021. */
export function matchesSecret(row: { readonly hash: string }, text: string): boolean {
  return isSameDigest(Buffer.from(hashKey(text), 'latin1'), Buffer.from(row.hash, 'latin1'));
}

/** Throws an AdminError for an invalid name or app list. */
export function checkAccess({ name, role, apps }: Access): void {
  if (!/^[^\s\p{Cc}\p{Cf}\p{Cs}]{1,128}$/u.test(name)) {
    throw bad(`${JSON.stringify(name)} is not a valid name; use 1–128 characters without spaces`);
  }
  if (role === 'team' && (apps === undefined || apps.length === 0)) {
    throw bad('the role team requires apps, for example --apps search,support');
  }
  if (role === 'operator' && apps !== undefined) {
    throw bad('the role operator sees all apps; leave out apps, or choose another role');
  }
}

function bad(message: string): AdminError {
  return new AdminError(message, { isBadValue: true });
}

/** Throws an AdminError for unknown apps: a misspelled name would see nothing. */
export async function checkApps(
  { store, company }: AdminContext,
  apps: readonly string[] = [],
): Promise<void> {
  if (apps.length === 0) return;
  const known = (await store.read(selectApps(company))).map(({ name }) => name);
  const missing = apps.filter((app) => !known.includes(app));
  if (missing.length === 0) return;
  const [app = ''] = missing;
  throw new AdminError(`unknown app ${listedNames(missing)}`, {
    isBadValue: true,
    field: 'apps',
    hint: didYouMean(app, known),
  });
}

export function writtenApps(apps: readonly string[] | undefined): string | undefined {
  return apps === undefined ? undefined : JSON.stringify(apps.toSorted());
}

export function readApps(apps: string | undefined): readonly string[] | undefined {
  if (apps === undefined) return undefined;
  const names: unknown = JSON.parse(apps);
  return Array.isArray(names) ? names.map(String) : [];
}

export function roleText({ role, apps }: Access): string {
  return apps === undefined ? role : `${role} of ${apps.join(', ')}`;
}
