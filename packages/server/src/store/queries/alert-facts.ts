import { type ScopeMode, scopeModes } from '../../books/scope.ts';
import type { Query, SqlRow } from '../port/port.ts';
import { asOneOf, big, int, optionalText, text } from '../schema/columns.ts';

// Facts that rules check every few seconds. Rows are found by key, however many exist.

export interface StoredUse {
  /** `app:NAME`, `group:NAME` or `key:LINEAGE`. */
  readonly scope: string;
  readonly period: string;
  readonly span: 'day' | 'month';
  readonly mode: ScopeMode;
  readonly cap: bigint | undefined;
  readonly spent: bigint;
  readonly held: bigint;
  /** Only for an app's daily budget. */
  readonly estimated: bigint | undefined;
  readonly overrun: bigint | undefined;
  readonly since: number;
  readonly keyApp: string | undefined;
  /** Only for a group: JSON, or `all`. */
  readonly members: string | undefined;
}

/**
 * Excludes unused days; lines for {@link readUse}. One text of many lines crosses threads and the
 * network at a quarter of the cost of rows.
 */
export function selectDayUses(day: string): Query<readonly string[]> {
  return {
    sql: `
      select string_agg('app:' || budget_day.app || '\t' || budget_day.day || '\tday\tenforce\t'
                        || coalesce(cast(budget_day.cap as text), '') || '\t' || spent || '\t'
                        || held || '\t' || estimated || '\t' || overrun || '\t0\t\t', '\n') as lines
        from app join budget_day on budget_day.app = app.name and budget_day.day = $1`,
    values: [day],
    map: linesIn,
  };
}

/** Active budgets except the apps' daily ones; excludes users' and unused ones. */
export function selectScopeUses(day: string, month: string): Query<readonly string[]> {
  return {
    sql: `
      select string_agg(used.scope || '\t' || used.period || '\t' || defined.span || '\t'
                        || used.mode || '\t' || used.cap || '\t' || used.spent || '\t'
                        || used.held || '\t\t\t' || defined.since || '\t'
                        || coalesce(api_key.customer_id, '') || '\t'
                        || coalesce(defined.members, ''), '\n') as lines
        from budget_definition defined
        join budget_scope used
          on used.scope = defined.scope
         and used.period = case defined.span when 'day' then cast($1 as text) else $2 end
        left join api_key
          on api_key.id = case when defined.scope like 'key:%' then substr(defined.scope, 5) end
       where defined.scope not like 'users:%'`,
    values: [day, month],
    map: linesIn,
  };
}

function linesIn([row]: readonly SqlRow[]): readonly string[] {
  const lines = row === undefined ? undefined : optionalText(row, 'lines');
  return lines?.split('\n') ?? [];
}

/** No name in a line has a tab. */
export function readUse(line: string): StoredUse {
  const [scope = '', period = '', span, mode, cap, spent = '', held = '', ...rest] =
    line.split('\t');
  const [estimated, overrun, since, keyApp, members] = rest.map((text) => text || undefined);
  return {
    ...{ scope, period, keyApp, members },
    span: asOneOf(span, spans, 'span'),
    mode: asOneOf(mode, scopeModes, 'mode'),
    cap: bigIn(cap),
    spent: BigInt(spent),
    held: BigInt(held),
    estimated: bigIn(estimated),
    overrun: bigIn(overrun),
    since: Number(since),
  };
}

function bigIn(text: string | undefined): bigint | undefined {
  return text === undefined || text === '' ? undefined : BigInt(text);
}

const spans = ['day', 'month'] as const;

export interface UnpricedUse {
  readonly app: string;
  readonly model: string;
  readonly calls: number;
}

/**
 * Only models whose calls used tokens or cost something: calls of a misspelled model do neither.
 */
export function selectUnpriced(day: string): Query<readonly UnpricedUse[]> {
  return {
    sql: `
      select usage_day.app, usage_day.model, usage_day.unpriced_calls as calls
        from app join usage_day on usage_day.app = app.name and usage_day.day = $1
       where usage_day.unpriced_calls > 0
         and (cost <> 0 or estimated <> 0 or input_tokens + cached_input_tokens
              + cache_write_input_tokens + output_tokens + reasoning_tokens > 0)
       order by usage_day.app, usage_day.model`,
    values: [day],
    map: (rows) =>
      rows.map((row) => ({
        app: text(row, 'app'),
        model: text(row, 'model'),
        calls: int(row, 'calls'),
      })),
  };
}

export interface EndingKey {
  readonly id: string;
  readonly app: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** After `afterMs`, until `untilMs` inclusive. */
export function selectEndingKeys(afterMs: number, untilMs: number): Query<readonly EndingKey[]> {
  return {
    sql: `
      select id, customer_id, created_at, expires_at
        from api_key
       where enabled = 1 and expires_at > $1 and expires_at <= $2
       order by id`,
    values: [afterMs, untilMs],
    map: (rows) =>
      rows.map((row) => ({
        id: text(row, 'id'),
        app: text(row, 'customer_id'),
        createdAt: int(row, 'created_at'),
        expiresAt: int(row, 'expires_at'),
      })),
  };
}

export const selectMeteredApps: Query<readonly string[]> = {
  sql: 'select name from app where enabled = 1 and monthly_grant is not null order by name',
  values: [],
  map: (rows) => rows.map((row) => text(row, 'name')),
};

export interface WalletUse {
  readonly userId: string;
  readonly granted: bigint;
  readonly remaining: bigint;
}

/** By user; `after` is exclusive. */
export interface WalletPage {
  readonly app: string;
  readonly month: string;
  readonly after: string;
  readonly limit: number;
}

export function selectWalletPage(page: WalletPage): Query<readonly WalletUse[]> {
  const { app, month, after, limit } = page;
  return {
    sql: `
      select month.user_id, month.granted, month.spent_grant, month.held_grant,
             coalesce(topup.added, 0) as added, coalesce(topup.spent, 0) as spent,
             coalesce(topup.held, 0) as held
        from wallet_month month
        left join wallet_topup topup
          on topup.app = month.app and topup.user_id = month.user_id
       where month.app = $1 and month.user_id > $2 and month.month = $3
       order by month.user_id
       limit $4`,
    values: [app, after, month, limit],
    map: (rows) =>
      rows.map((row) => {
        const granted = big(row, 'granted');
        const grantRemaining = granted - big(row, 'spent_grant') - big(row, 'held_grant');
        const topupRemaining = big(row, 'added') - big(row, 'spent') - big(row, 'held');
        return {
          userId: text(row, 'user_id'),
          granted,
          remaining: grantRemaining + topupRemaining,
        };
      }),
  };
}
