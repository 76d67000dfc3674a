import type { MonthCorrection } from '../../books/month-correction.ts';
import type { CallSplit, UsageSums } from '../../books/splits.ts';
import type { Description } from './description.ts';
import { table } from './table.ts';
import { counts } from './tables.ts';

// Rollup rows for reports.

export const usageSums: Description<UsageSums> = (row, as) => ({
  calls: as.int(row.calls),
  errors: as.int(row.errors),
  ...counts(row, as),
  cacheWrite1hInputTokens: as.int(row.cacheWrite1hInputTokens),
  cost: as.big(row.cost),
  estimated: as.big(row.estimated),
  corrected: as.big(row.corrected),
  unpriced: as.big(row.unpriced),
  unpricedCalls: as.int(row.unpricedCalls),
});

export const usageAdjustments = table<CallSplit>(
  'usage_late',
  ['callId', 'model', 'platform', 'keyId', 'userId', 'app', 'day'],
  (row, as) => ({
    callId: as.text(row.callId),
    day: as.text(row.day),
    app: as.text(row.app),
    model: as.text(row.model),
    platform: as.text(row.platform),
    keyId: as.text(row.keyId),
    userId: as.text(row.userId),
    ...usageSums(row, as),
  }),
);

export type UsageSplit = Omit<CallSplit, 'callId' | 'userId'>;

export const usageSplits = table<UsageSplit>(
  'usage_split',
  ['day', 'app', 'model', 'platform', 'keyId'],
  (row, as) => ({
    day: as.text(row.day),
    app: as.text(row.app),
    model: as.text(row.model),
    platform: as.text(row.platform),
    keyId: as.text(row.keyId),
    ...usageSums(row, as),
  }),
);

export interface UsageUserMonth extends UsageSums {
  readonly month: string;
  readonly app: string;
  readonly userId: string;
}

export const usageUserMonths = table<UsageUserMonth>(
  'usage_user_month',
  ['month', 'app', 'userId'],
  (row, as) => ({
    month: as.text(row.month),
    app: as.text(row.app),
    userId: as.text(row.userId),
    ...usageSums(row, as),
  }),
);

export const usageCorrections = table<MonthCorrection>(
  'usage_correction',
  ['madeDay', 'day', 'app', 'model', 'platform'],
  (row, as) => ({
    madeDay: as.text(row.madeDay),
    day: as.text(row.day),
    app: as.text(row.app),
    model: as.text(row.model),
    platform: as.text(row.platform),
    calls: as.int(row.calls),
    errors: as.int(row.errors),
    cost: as.big(row.cost),
    estimated: as.big(row.estimated),
    corrected: as.big(row.corrected),
    unpriced: as.big(row.unpriced),
  }),
);
