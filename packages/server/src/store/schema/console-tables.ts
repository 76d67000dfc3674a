import { type Role, roles } from '../../domain/role.ts';
import { table } from './table.ts';

// Tables of console access. Secrets are stored only as their SHA-256.

interface StoredAccess {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly role: Role;
  /** JSON. Undefined: all apps. */
  readonly apps: string | undefined;
  readonly expiresAt: number;
}

export type StoredCode = StoredAccess;

export interface StoredSession extends StoredAccess {
  /** Hash of issuer and subject of a company login; undefined for a link. */
  readonly person: string | undefined;
  readonly createdAt: number;
  readonly seenAt: number;
}

export interface StoredToken extends StoredAccess {
  readonly enabled: boolean;
  readonly createdAt: number;
}

export const consoleCodes = table<StoredCode>('console_code', ['id'], (row, as) => ({
  id: as.text(row.id),
  hash: as.text(row.hash),
  name: as.text(row.name),
  role: as.oneOf(row.role, roles),
  apps: as.optionalText(row.apps),
  expiresAt: as.int(row.expiresAt),
}));

export const consoleSessions = table<StoredSession>('console_session', ['id'], (row, as) => ({
  id: as.text(row.id),
  hash: as.text(row.hash),
  name: as.text(row.name),
  role: as.oneOf(row.role, roles),
  apps: as.optionalText(row.apps),
  person: as.optionalText(row.person),
  createdAt: as.int(row.createdAt),
  seenAt: as.int(row.seenAt),
  expiresAt: as.int(row.expiresAt),
}));

export const adminTokens = table<StoredToken>('admin_token', ['id'], (row, as) => ({
  id: as.text(row.id),
  hash: as.text(row.hash),
  name: as.text(row.name),
  role: as.oneOf(row.role, roles),
  apps: as.optionalText(row.apps),
  enabled: as.flag(row.enabled),
  createdAt: as.int(row.createdAt),
  expiresAt: as.int(row.expiresAt),
}));
