import type { AppSettings } from '../../domain/app.ts';
import { parseKeyName } from '../../domain/key-name.ts';
import type { ApiKey } from '../../domain/registered-app.ts';
import type { Query, SqlRow } from '../port/port.ts';
import { andAmong } from '../schema/among.ts';
import { big, optionalText, text } from '../schema/columns.ts';
import {
  apiKeys,
  type ProjectBinding,
  projectBindings,
  type StoredKey,
} from '../schema/service-tables.ts';
import { type AppRow, appOf, projectNameOf, selectAppRows } from './app-rows.ts';

export type { AppRow, ProjectBinding };
export { projectNameOf };

export function selectApps(company: string): Query<readonly AppRow[]> {
  return {
    sql: `${selectAppRows}
       order by name`,
    values: [],
    map: (rows) => rows.map((row) => appOf(row, company)),
  };
}

export function selectApp(name: string, company: string): Query<AppRow | undefined> {
  return {
    sql: `${selectAppRows}
       where name = $1`,
    values: [name],
    map: ([row]) => (row === undefined ? undefined : appOf(row, company)),
  };
}

export function storedSettings(settings: AppSettings) {
  const { credits, models, plans, ratePerSecond, tags, unpriced, ...others } = settings;
  // These are budget definitions, not columns.
  const { monthlyBudgetPicoUsd: _month, perUserDailyPicoUsd: _user, ...same } = others;
  return {
    ...same,
    models: models === undefined ? undefined : JSON.stringify(models),
    monthlyGrant: credits?.monthlyGrantPicoUsd,
    picoUsdPerCredit: credits?.picoUsdPerCredit,
    plans: Object.keys(plans).length === 0 ? undefined : JSON.stringify(plans),
    ratePerSecond: ratePerSecond === undefined ? undefined : String(ratePerSecond),
    tags: Object.keys(tags).length === 0 ? undefined : JSON.stringify(tags),
    unpriced,
    requirePriced: unpriced === 'refuse',
  };
}

export interface ApiKeyRow extends ApiKey {
  readonly hash: string;
  readonly isEnabled: boolean;
  readonly createdAt: number;
  readonly isSample: boolean;
  readonly note: string | undefined;
  /** Undefined while enabled, or unknown. */
  readonly disabledBy: string | undefined;
  readonly disabledRole: string | undefined;
}

export const selectKeys: Query<readonly ApiKeyRow[]> = {
  sql: 'select * from api_key order by created_at, name, id',
  values: [],
  map: (rows) => rows.map(keyOfRow),
};

export function selectKey(id: string): Query<ApiKeyRow | undefined> {
  return {
    sql: 'select * from api_key where id = $1',
    values: [id],
    map: ([row]) => (row === undefined ? undefined : keyOfRow(row)),
  };
}

export function selectKeysOf(ids: readonly string[]): Query<readonly ApiKeyRow[]> {
  const among = ids.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: ['select * from api_key', `where id in (${among})`].join(' '),
    values: ids,
    map: selectKeys.map,
  };
}

export function selectKeyIds(limit: number): Query<readonly string[]> {
  return {
    sql: 'select id from api_key order by id limit $1',
    values: [limit],
    map: (rows) => rows.map((row) => text(row, 'id')),
  };
}

export type KeyMatch = Pick<ApiKeyRow, 'id' | 'name' | 'customerId'>;

/** By the start of the id, or the whole name; from an id on. */
export function selectKeysLike(
  start: string,
  after: string,
  limit: number,
): Query<readonly KeyMatch[]> {
  return {
    sql: `
      select id, name, customer_id
        from api_key
       where (substr(id, 1, length($1)) = $1 or name = $1) and id > $2
       order by id
       limit $3`,
    values: [start, after, limit],
    map: (rows) =>
      rows.map((row) => ({
        id: text(row, 'id'),
        name: text(row, 'name'),
        customerId: text(row, 'customer_id'),
      })),
  };
}

function keyOfRow(row: SqlRow): ApiKeyRow {
  const { keyHash: hash, enabled: isEnabled, isSample, ...stored }: StoredKey = apiKeys.read(row);
  const { lineage = stored.id, models: written, ...same } = stored;
  const parsed = parseKeyName(same.name);
  const models = written === undefined ? undefined : new Set<string>(JSON.parse(written));
  return { ...same, hash, parsed, isEnabled, isSample: isSample === true, lineage, models };
}

export const selectBindings: Query<readonly ProjectBinding[]> = {
  sql: 'select * from project_binding order by app, platform',
  values: [],
  map: (rows) => rows.map(projectBindings.read),
};

export function selectBindingsOf(app: string): Query<readonly ProjectBinding[]> {
  return {
    sql: 'select * from project_binding where app = $1 order by platform',
    values: [app],
    map: (rows) => rows.map(projectBindings.read),
  };
}

/** Increases with every change of an app, key, binding or budget. */
export const selectRevision: Query<bigint> = {
  sql: 'select value from revision where id = 1',
  values: [],
  map: ([row]) => (row === undefined ? 0n : big(row, 'value')),
};

/** Undefined for the default, made of company and app. */
export function selectProjectName(app: string): Query<string | undefined> {
  return {
    sql: 'select project from app where name = $1',
    values: [app],
    map: ([row]) => (row === undefined ? undefined : optionalText(row, 'project')),
  };
}

/** Whether a key from the first startup still works; only of these apps, unless undefined. */
export function selectHasSampleKey(apps: readonly string[] | undefined): Query<boolean> {
  return {
    sql: [sampleKey, andAmong(apps, 0, 'customer_id'), 'limit 1'].join(' '),
    values: apps ?? [],
    map: (rows) => rows.length > 0,
  };
}

const sampleKey = 'select 1 as found from api_key where is_sample = 1 and enabled = 1';
