import { parseKeyName } from '../../domain/key-name.ts';
import type { Plans } from '../../domain/plan.ts';
import type { ApiKey, App } from '../../domain/registered-app.ts';
import { type UnpricedPolicy, unpricedPolicies } from '../../domain/unpriced-policy.ts';
import { big, flag, int, optionalBig, optionalText, text } from '../columns.ts';
import type { Query, SqlRow } from '../port.ts';

/** A row of `app`, as the registry and its operations read it. */
export interface AppRow extends Omit<App, 'projectIds' | 'sharedProjects'> {
  /** Whether the configuration file declares it, or the command line made it. */
  readonly origin: 'file' | 'command';
  /** What the file said last, as JSON. */
  readonly fileValues: string | undefined;
}

/** Every app. */
export function selectApps(company: string): Query<readonly AppRow[]> {
  return {
    sql: 'select * from app order by name',
    values: [],
    map: (rows) => rows.map((row) => readApp(row, company)),
  };
}

/** One app; undefined when it is not registered. */
export function selectApp(name: string, company: string): Query<AppRow | undefined> {
  return {
    sql: 'select * from app where name = $1',
    values: [name],
    map: ([row]) => (row === undefined ? undefined : readApp(row, company)),
  };
}

/** The name of the project of an app that has none of its own for it. */
export function projectNameOf(company: string, app: string): string {
  return `prod-${company}-core-${app}`;
}

function readApp(row: SqlRow, company: string): AppRow {
  const name = text(row, 'name');
  const models = optionalText(row, 'models');
  const plans = optionalText(row, 'plans');
  const grant = optionalBig(row, 'monthly_grant');
  return {
    name,
    origin: text(row, 'origin') === 'file' ? 'file' : 'command',
    isEnabled: flag(row, 'enabled'),
    dailyBudgetPicoUsd: optionalBig(row, 'daily_budget'),
    models: models === undefined ? undefined : new Set<string>(JSON.parse(models)),
    credits:
      grant === undefined
        ? undefined
        : { monthlyGrantPicoUsd: grant, picoUsdPerCredit: big(row, 'pico_usd_per_credit') },
    earlierCredits: readEarlierCredits(row),
    unpriced: readUnpriced(row),
    streaming: readStreaming(row),
    storeAnswers: flag(row, 'store_answers'),
    project: optionalText(row, 'project') ?? projectNameOf(company, name),
    plans: readPlans(plans),
    fileValues: optionalText(row, 'file_values'),
  };
}

function readEarlierCredits(row: SqlRow): App['earlierCredits'] {
  const until = optionalText(row, 'credits_since');
  if (until === undefined) return undefined;
  const credits = {
    monthlyGrantPicoUsd: big(row, 'grant_before'),
    picoUsdPerCredit: big(row, 'pico_usd_per_credit_before'),
  };
  return { until, credits };
}

/** The flag is of apps that were written before there was a choice. */
function readUnpriced(row: SqlRow): UnpricedPolicy | undefined {
  const written = optionalText(row, 'unpriced');
  const policy = unpricedPolicies.find((known) => known === written);
  return policy ?? (flag(row, 'require_priced') ? 'refuse' : undefined);
}

function readStreaming(row: SqlRow): boolean | undefined {
  const written = optionalBig(row, 'streaming');
  return written === undefined ? undefined : written !== 0n;
}

function readPlans(plans: string | undefined): Partial<Plans> {
  return plans === undefined ? {} : JSON.parse(plans);
}

/** An API key with the hash that it is found by. */
export interface ApiKeyRow extends ApiKey {
  readonly hash: string;
  readonly isEnabled: boolean;
  readonly createdAt: number;
  /** True for a key that the first start has printed. */
  readonly isSample: boolean;
}

/** Every key, disabled ones included. */
export const selectKeys: Query<readonly ApiKeyRow[]> = {
  sql: 'select * from api_key order by created_at, name, id',
  values: [],
  map: (rows) =>
    rows.map((row) => ({
      id: text(row, 'id'),
      hash: text(row, 'key_hash'),
      name: text(row, 'name'),
      customerId: text(row, 'customer_id'),
      parsed: parseKeyName(text(row, 'name')),
      isEnabled: flag(row, 'enabled'),
      createdAt: int(row, 'created_at'),
      isSample: row.is_sample === 1n,
    })),
};

/** An app's billing project on a platform. */
export interface ProjectBinding {
  readonly app: string;
  readonly platform: string;
  readonly projectId: string;
}

/** Every binding of a project. */
export const selectBindings: Query<readonly ProjectBinding[]> = {
  sql: 'select * from project_binding order by app, platform',
  values: [],
  map: (rows) =>
    rows.map((row) => ({
      app: text(row, 'app'),
      platform: text(row, 'platform'),
      projectId: text(row, 'project_id'),
    })),
};

/** A number that grows with every change of an app, a key or a binding. */
export const selectRevision: Query<bigint> = {
  sql: 'select value from revision where id = 1',
  values: [],
  map: ([row]) => (row === undefined ? 0n : big(row, 'value')),
};

/** The project's name as it was set; undefined for the name that company and app make. */
export function selectProjectName(app: string): Query<string | undefined> {
  return {
    sql: 'select project from app where name = $1',
    values: [app],
    map: ([row]) => (row === undefined ? undefined : optionalText(row, 'project')),
  };
}
