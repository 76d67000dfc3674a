import { appSettings } from '../../domain/app.ts';
import type { CreditsConfig } from '../../domain/credits.ts';
import type { Plans } from '../../domain/plan.ts';
import type { App } from '../../domain/registered-app.ts';
import { type UnpricedPolicy, unpricedPolicies } from '../../domain/unpriced-policy.ts';
import type { SqlRow } from '../port/port.ts';
import { asOptionalBig } from '../schema/columns.ts';
import { apps, type StoredApp } from '../schema/service-tables.ts';

export interface AppRow
  extends Omit<App, 'projectIds' | 'sharedProjects'>,
    Pick<StoredApp, 'origin' | 'fileValues'> {}

export const selectAppRows = `
      select app.*,
             (select cap from budget_definition
               where scope = 'app:' || app.name and span = 'month') as monthly_budget,
             (select cap from budget_definition
               where scope = 'users:' || app.name and span = 'day') as per_user_daily
        from app`;

export function appOf(row: SqlRow, company: string): AppRow {
  const stored: StoredApp = apps.read(row);
  const {
    enabled: isEnabled,
    models,
    plans,
    tags,
    monthlyGrant,
    picoUsdPerCredit,
    ratePerSecond,
    keysMax = appSettings.keysMax.initial,
    ...rest
  } = stored;
  const { creditsSince, grantBefore, picoUsdPerCreditBefore, requirePriced, ...same } = rest;
  return {
    ...same,
    isEnabled,
    monthlyBudgetPicoUsd: asOptionalBig(row.monthly_budget, 'monthly_budget'),
    perUserDailyPicoUsd: asOptionalBig(row.per_user_daily, 'per_user_daily'),
    models: models === undefined ? undefined : new Set<string>(JSON.parse(models)),
    credits: creditsOf(monthlyGrant, picoUsdPerCredit),
    earlierCredits: earlierCreditsOf(creditsSince, creditsOf(grantBefore, picoUsdPerCreditBefore)),
    unpriced: policyOf(same.unpriced) ?? (requirePriced ? 'refuse' : undefined),
    project: same.project ?? projectNameOf(company, same.name),
    plans: plansOf(plans),
    ratePerSecond: ratePerSecond === undefined ? undefined : Number(ratePerSecond),
    keysMax,
    tags: tags === undefined ? {} : JSON.parse(tags),
  };
}

export function projectNameOf(company: string, app: string): string {
  return `prod-${company}-core-${app}`;
}

function creditsOf(
  monthlyGrantPicoUsd: bigint | undefined,
  picoUsdPerCredit: bigint | undefined,
): CreditsConfig | undefined {
  if (monthlyGrantPicoUsd === undefined || picoUsdPerCredit === undefined) return undefined;
  return { monthlyGrantPicoUsd, picoUsdPerCredit };
}

function earlierCreditsOf(
  until: string | undefined,
  credits: CreditsConfig | undefined,
): App['earlierCredits'] {
  return until === undefined || credits === undefined ? undefined : { until, credits };
}

function policyOf(written: string | undefined): UnpricedPolicy | undefined {
  return unpricedPolicies.find((known) => known === written);
}

function plansOf(plans: string | undefined): Partial<Plans> {
  return plans === undefined ? {} : JSON.parse(plans);
}
