import type { AppSettings } from '../domain/app.ts';
import { table } from './table.ts';

// Every row beside the ledger's, described once: what operators set, and what processes note.

/** An app as it is kept: what has no column of its kind is JSON, or in columns of its own. */
export interface StoredApp extends Omit<AppSettings, 'models' | 'credits' | 'unpriced' | 'plans'> {
  readonly name: string;
  /** Whether the configuration file declares it, or the command line made it. */
  readonly origin: (typeof origins)[number];
  readonly models: string | undefined;
  readonly monthlyGrant: bigint | undefined;
  readonly picoUsdPerCredit: bigint | undefined;
  /** What versions know that were before there was a choice. */
  readonly requirePriced: boolean;
  readonly plans: string | undefined;
  readonly unpriced: string | undefined;
  /** What the file said last, as JSON. */
  readonly fileValues: string | undefined;
  readonly createdAt: number;
  /** The month from which on the value of a credit holds, and what holds before it. */
  readonly creditsSince: string | undefined;
  readonly grantBefore: bigint | undefined;
  readonly picoUsdPerCreditBefore: bigint | undefined;
}

const origins = ['file', 'command'] as const;

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
  unpriced: as.optionalText(row.unpriced),
  streaming: as.optionalFlag(row.streaming),
  fileValues: as.optionalText(row.fileValues),
  createdAt: as.int(row.createdAt),
  creditsSince: as.optionalText(row.creditsSince),
  grantBefore: as.optionalBig(row.grantBefore),
  picoUsdPerCreditBefore: as.optionalBig(row.picoUsdPerCreditBefore),
}));
