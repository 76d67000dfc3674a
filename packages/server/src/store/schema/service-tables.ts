import type { AppSettings } from '../../domain/app.ts';
import { table } from './table.ts';

// Rows outside the ledger: operators' settings, and records of processes.

/** Settings without a plain column are JSON or several columns. */
export interface StoredApp
  extends Omit<
    AppSettings,
    | 'models'
    | 'credits'
    | 'unpriced'
    | 'plans'
    | 'tags'
    | 'monthlyBudgetPicoUsd'
    | 'perUserDailyPicoUsd'
    | 'ratePerSecond'
    | 'keysMax'
  > {
  readonly name: string;
  readonly origin: (typeof origins)[number];
  readonly models: string | undefined;
  readonly monthlyGrant: bigint | undefined;
  readonly picoUsdPerCredit: bigint | undefined;
  /** For versions that predate the choice. */
  readonly requirePriced: boolean;
  readonly plans: string | undefined;
  readonly tags: string | undefined;
  /** A number as text, because it may have decimals. */
  readonly ratePerSecond: string | undefined;
  /** Undefined if written by a version without this limit. */
  readonly keysMax: number | undefined;
  readonly unpriced: string | undefined;
  readonly fileValues: string | undefined;
  readonly createdAt: number;
  /** The first month of the credit's value; the next columns are valid before it. */
  readonly creditsSince: string | undefined;
  readonly grantBefore: bigint | undefined;
  readonly picoUsdPerCreditBefore: bigint | undefined;
}

export const origins = ['file', 'command'] as const;

export const apps = table<StoredApp>('app', ['name'], (row, as) => ({
  name: as.text(row.name),
  origin: as.oneOf(row.origin, origins),
  enabled: as.flag(row.enabled),
  dailyBudgetPicoUsd: as.optionalBig(row.dailyBudgetPicoUsd),
  models: as.optionalText(row.models),
  monthlyGrant: as.optionalBig(row.monthlyGrant),
  picoUsdPerCredit: as.optionalBig(row.picoUsdPerCredit),
  requirePriced: as.flag(row.requirePriced),
  storeAnswers: as.flag(row.storeAnswers),
  project: as.optionalText(row.project),
  plans: as.optionalText(row.plans),
  tags: as.optionalText(row.tags),
  unpriced: as.optionalText(row.unpriced),
  streaming: as.optionalFlag(row.streaming),
  defaultMaxTokens: as.optionalInt(row.defaultMaxTokens),
  adoptRetries: as.flag(row.adoptRetries),
  fileValues: as.optionalText(row.fileValues),
  createdAt: as.int(row.createdAt),
  creditsSince: as.optionalText(row.creditsSince),
  grantBefore: as.optionalBig(row.grantBefore),
  picoUsdPerCreditBefore: as.optionalBig(row.picoUsdPerCreditBefore),
  ratePerSecond: as.optionalText(row.ratePerSecond),
  keysMax: as.optionalInt(row.keysMax),
}));

/** Identified by its hash, without a secret. */
export interface StoredKey {
  readonly id: string;
  readonly keyHash: string;
  readonly name: string;
  readonly customerId: string;
  readonly enabled: boolean;
  readonly createdAt: number;
  /** Printed by the first startup; else undefined. */
  readonly isSample: boolean | undefined;
  /** The first key of the rotation; undefined for the first itself. */
  readonly lineage: string | undefined;
  /** JSON. Undefined: its app's. */
  readonly models: string | undefined;
  /** The key is invalid from then on. Undefined: no end. */
  readonly expiresAt: number | undefined;
  readonly note: string | undefined;
  /** Undefined while enabled, or unknown. */
  readonly disabledBy: string | undefined;
  readonly disabledRole: string | undefined;
}

export const apiKeys = table<StoredKey>('api_key', ['id'], (row, as) => ({
  id: as.text(row.id),
  keyHash: as.text(row.keyHash),
  name: as.text(row.name),
  customerId: as.text(row.customerId),
  enabled: as.flag(row.enabled),
  createdAt: as.int(row.createdAt),
  isSample: as.optionalFlag(row.isSample),
  lineage: as.optionalText(row.lineage),
  models: as.optionalText(row.models),
  expiresAt: as.optionalInt(row.expiresAt),
  note: as.optionalText(row.note),
  disabledBy: as.optionalText(row.disabledBy),
  disabledRole: as.optionalText(row.disabledRole),
}));

export interface ProjectBinding {
  readonly app: string;
  readonly platform: string;
  readonly projectId: string;
}

export const projectBindings = table<ProjectBinding>(
  'project_binding',
  ['app', 'platform'],
  (row, as) => ({
    app: as.text(row.app),
    platform: as.text(row.platform),
    projectId: as.text(row.projectId),
  }),
);

/** Owns reservations; its table is `owner` in released schemas. */
export interface InstanceRow {
  readonly id: string;
  readonly seenAt: number;
  readonly configHash: string;
  /** The newest that it supports. */
  readonly schemaVersion?: number | undefined;
}

export const instances = table<InstanceRow>('owner', ['id'], (row, as) => ({
  id: as.text(row.id),
  seenAt: as.int(row.seenAt),
  configHash: as.text(row.configHash),
  schemaVersion: as.optionalInt(row.schemaVersion),
}));

/** For work of one process at a time. */
export interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly expiresAt: number;
}

export const leases = table<LeaseRow>('lease', ['name'], (row, as) => ({
  name: as.text(row.name),
  holder: as.text(row.holder),
  expiresAt: as.int(row.expiresAt),
}));

export interface PlanUse {
  readonly keyId: string;
  /** µs of the machine's clock. */
  readonly fullAt: number;
  readonly day: string;
  readonly used: number;
}

export const planUses = table<PlanUse>('plan_use', ['keyId'], (row, as) => ({
  keyId: as.text(row.keyId),
  fullAt: as.int(row.fullAt),
  day: as.text(row.day),
  used: as.int(row.used),
}));

interface StoredKeyUse {
  readonly keyId: string;
  readonly lastUsedAt: number;
}

export const keyUses = table<StoredKeyUse>('key_use', ['keyId'], (row, as) => ({
  keyId: as.text(row.keyId),
  lastUsedAt: as.int(row.lastUsedAt),
}));

export interface RefusalHour {
  readonly app: string;
  readonly hour: number;
  readonly code: string;
  readonly refused: number;
  readonly lastAt: number;
  /** As sent to the caller; undefined if it may quote the request. */
  readonly lastMessage: string | undefined;
  readonly lastRequestId: string | undefined;
}

export const refusalHours = table<RefusalHour>(
  'refusal_hour',
  ['hour', 'app', 'code'],
  (row, as) => ({
    app: as.text(row.app),
    hour: as.int(row.hour),
    code: as.text(row.code),
    refused: as.int(row.refused),
    lastAt: as.int(row.lastAt),
    lastMessage: as.optionalText(row.lastMessage),
    lastRequestId: as.optionalText(row.lastRequestId),
  }),
);
