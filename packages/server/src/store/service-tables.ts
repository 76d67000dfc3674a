import type { AppSettings } from '../domain/app.ts';
import { table } from './table.ts';

// Every row beside the ledger's, described once: what operators set, and what processes note.

/** An app as it is kept: what has no column of its kind is JSON, or in columns of its own. */
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
  /** Whether the configuration file declares it, or the command line made it. */
  readonly origin: (typeof origins)[number];
  readonly models: string | undefined;
  readonly monthlyGrant: bigint | undefined;
  readonly picoUsdPerCredit: bigint | undefined;
  /** What versions know that were before there was a choice. */
  readonly requirePriced: boolean;
  readonly plans: string | undefined;
  readonly tags: string | undefined;
  /** A number as text: it may have decimals. */
  readonly ratePerSecond: string | undefined;
  /** Undefined where a version has written it that knew no such limit. */
  readonly keysMax: number | undefined;
  readonly unpriced: string | undefined;
  /** What the file said last, as JSON. */
  readonly fileValues: string | undefined;
  readonly createdAt: number;
  /** The month from which on the value of a credit holds, and what holds before it. */
  readonly creditsSince: string | undefined;
  readonly grantBefore: bigint | undefined;
  readonly picoUsdPerCreditBefore: bigint | undefined;
}

/** Who has made it: the configuration file, or the command line. */
export const origins = ['file', 'command'] as const;

/** Apps. */
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

/** An API key as it is kept: the hash that it is found by, and no secret. */
export interface StoredKey {
  readonly id: string;
  readonly keyHash: string;
  readonly name: string;
  readonly customerId: string;
  readonly enabled: boolean;
  readonly createdAt: number;
  /** True for a key that the first start has printed, and nothing for any other. */
  readonly isSample: boolean | undefined;
  /** The first key that this one was rotated from; undefined for one that is the first. */
  readonly lineage: string | undefined;
  /** The only models that it may use, as JSON; undefined for those of its app. */
  readonly models: string | undefined;
  /** From this moment on it is unknown; undefined for one without an end. */
  readonly expiresAt: number | undefined;
  /** What the operator says of it. */
  readonly note: string | undefined;
  /** Who has disabled it, and in which role; undefined while it is enabled, or unknown. */
  readonly disabledBy: string | undefined;
  readonly disabledRole: string | undefined;
}

/** API keys. */
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

/** An app's billing project on a platform. */
export interface ProjectBinding {
  readonly app: string;
  readonly platform: string;
  readonly projectId: string;
}

/** Billing projects of apps. */
export const projectBindings = table<ProjectBinding>(
  'project_binding',
  ['app', 'platform'],
  (row, as) => ({
    app: as.text(row.app),
    platform: as.text(row.platform),
    projectId: as.text(row.projectId),
  }),
);

/** A process that holds money; `owner` is its table's name in released schemas. */
export interface InstanceRow {
  readonly id: string;
  readonly seenAt: number;
  readonly configHash: string;
  /** The newest schema that it knows; undefined for one that does not say. */
  readonly schemaVersion?: number | undefined;
}

/** Processes. */
export const instances = table<InstanceRow>('owner', ['id'], (row, as) => ({
  id: as.text(row.id),
  seenAt: as.int(row.seenAt),
  configHash: as.text(row.configHash),
  schemaVersion: as.optionalInt(row.schemaVersion),
}));

/** What only one process may do at a time. */
export interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly expiresAt: number;
}

/** Leases. */
export const leases = table<LeaseRow>('lease', ['name'], (row, as) => ({
  name: as.text(row.name),
  holder: as.text(row.holder),
  expiresAt: as.int(row.expiresAt),
}));

/** What a key has used of its plan. */
export interface PlanUse {
  readonly keyId: string;
  /** When its bucket is full again, in µs of the machine's clock. */
  readonly fullAt: number;
  readonly day: string;
  /** Requests of that day. */
  readonly used: number;
}

/** Uses of plans. */
export const planUses = table<PlanUse>('plan_use', ['keyId'], (row, as) => ({
  keyId: as.text(row.keyId),
  fullAt: as.int(row.fullAt),
  day: as.text(row.day),
  used: as.int(row.used),
}));

/** When a key was used last. */
interface StoredKeyUse {
  readonly keyId: string;
  readonly lastUsedAt: number;
}

/** Last uses of keys. */
export const keyUses = table<StoredKeyUse>('key_use', ['keyId'], (row, as) => ({
  keyId: as.text(row.keyId),
  lastUsedAt: as.int(row.lastUsedAt),
}));

/** Requests of an app that were refused for one reason within an hour. */
export interface RefusalHour {
  readonly app: string;
  /** When the hour began. */
  readonly hour: number;
  readonly code: string;
  readonly refused: number;
  readonly lastAt: number;
  /** As the caller was told it; undefined where it may quote what the caller sent. */
  readonly lastMessage: string | undefined;
  readonly lastRequestId: string | undefined;
}

/** Refusals by the hour. */
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
