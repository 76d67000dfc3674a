import { table } from './table.ts';

/** By the key's hash, without a secret. */
export interface StoredRun {
  readonly app: string;
  readonly id: string;
  readonly keyHash: string;
  readonly parentKeyId: string;
  readonly maxCost: bigint;
  /** JSON; undefined: the parent's. */
  readonly models: string | undefined;
  readonly userId: string | undefined;
  readonly label: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | undefined;
}

export const runs = table<StoredRun>('run', ['app', 'id'], (row, as) => ({
  app: as.text(row.app),
  id: as.text(row.id),
  keyHash: as.text(row.keyHash),
  parentKeyId: as.text(row.parentKeyId),
  maxCost: as.big(row.maxCost),
  models: as.optionalText(row.models),
  userId: as.optionalText(row.userId),
  label: as.optionalText(row.label),
  createdAt: as.int(row.createdAt),
  expiresAt: as.int(row.expiresAt),
  endedAt: as.optionalInt(row.endedAt),
}));
