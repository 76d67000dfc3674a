import type { Attempt, CallRecord } from '../../books/rows.ts';
import { utcDayOf } from '../../lib/clock.ts';
import type { Query, Statement } from '../port/port.ts';
import { int, optionalText, text } from '../schema/columns.ts';
import {
  type InvoiceDay,
  invoiceDays,
  invoiceLines,
  type ProjectSpan,
  projectSpans,
  type StoredInvoiceLine,
} from '../schema/invoice-tables.ts';
import { upsert } from '../schema/row-statement.ts';
import * as tables from '../schema/tables.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export function selectInvoiceDays(
  platform: string,
  { from, to }: DayRange,
): Query<readonly InvoiceDay[]> {
  return {
    sql: 'select * from invoice_day where platform = $1 and day >= $2 and day <= $3 order by day',
    values: [platform, from, to],
    map: (rows) => rows.map(invoiceDays.read),
  };
}

/** Of all platforms, newest first. */
export function selectInvoiceDaysSince(day: string): Query<readonly InvoiceDay[]> {
  return {
    sql: 'select * from invoice_day where day >= $1 order by day desc, platform',
    values: [day],
    map: (rows) => rows.map(invoiceDays.read),
  };
}

export function selectInvoiceLines(
  platform: string,
  { from, to }: DayRange,
): Query<readonly StoredInvoiceLine[]> {
  return {
    sql: `
      select * from invoice_line
       where platform = $1 and day >= $2 and day <= $3
       order by day, project, app, kind, model, token_type`,
    values: [platform, from, to],
    isLong: true,
    map: (rows) => rows.map(invoiceLines.read),
  };
}

export const selectInvoicePlatforms: Query<readonly string[]> = {
  sql: 'select distinct platform from invoice_day order by platform',
  values: [],
  map: (rows) => rows.map((row) => text(row, 'platform')),
};

export function selectIsImported(platform: string, sourceHash: string): Query<boolean> {
  return {
    sql: 'select platform from invoice_source where platform = $1 and source_hash = $2',
    values: [platform, sourceHash],
    map: (rows) => rows.length > 0,
  };
}

/** Writes nothing if they were imported before. */
export function insertSource(platform: string, sourceHash: string, at: number): Statement {
  return {
    sql: `
      insert into invoice_source (platform, source_hash, imported_at)
      values ($1, $2, $3)
      on conflict (platform, source_hash) do nothing`,
    values: [platform, sourceHash, at],
    abortIfNoRows: true,
  };
}

const putDay = upsert(invoiceDays);

type DayOf = Pick<InvoiceDay, 'platform' | 'day'>;

/**
 * `rows`: JSON object of rows (project, app, kind, model, token type, quantity, amount, tolerance).
 * One text crosses threads more cheaply than values.
 */
export function insertInvoiceLines({ platform, day }: DayOf, rows: string): Statement {
  return {
    sql: `
      insert into invoice_line (
        platform, day, project, app, kind, model, token_type, quantity, amount, tolerance)
      select $1, $2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
             cast(value ->> 5 as bigint), cast(value ->> 6 as bigint), cast(value ->> 7 as bigint)
        from json_each($3)`,
    values: [platform, day, rows],
  };
}

export function deleteInvoiceLines({ platform, day }: DayOf): Statement {
  return {
    sql: 'delete from invoice_line where platform = $1 and day = $2',
    values: [platform, day],
  };
}

/** Deletes `limit` + 1 lines; none if the day has no more than `limit`. */
export function deleteFirstInvoiceLines({ platform, day }: DayOf, limit: number): Statement {
  return {
    sql: `
      delete from invoice_line
       where platform = $1 and day = $2 and (project, app, kind, model, token_type) <= (
         select project, app, kind, model, token_type from invoice_line
          where platform = $1 and day = $2
          order by project, app, kind, model, token_type limit 1 offset $3)`,
    values: [platform, day, limit],
  };
}

/** Its lines have no figure until the day is stored again. */
export function deleteInvoiceDay({ platform, day }: DayOf): Statement {
  return {
    sql: 'delete from invoice_day where platform = $1 and day = $2',
    values: [platform, day],
  };
}

export function putInvoiceDay(day: InvoiceDay): Statement {
  return { sql: putDay.sql, values: putDay.bind(day) };
}

export const selectProjectSpans: Query<readonly ProjectSpan[]> = {
  sql: 'select * from project_history order by app, platform, since, project_id',
  values: [],
  map: (rows) => rows.map(projectSpans.read),
};

export function endSpan(app: string, platform: string, at: number): Statement {
  return {
    sql: `
      update project_history set until = $3
       where app = $1 and platform = $2 and until is null`,
    values: [app, platform, at],
  };
}

const putSpan = upsert(projectSpans);

export function beginSpan(span: ProjectSpan): Statement {
  return { sql: putSpan.sql, values: putSpan.bind(span) };
}

export interface CallSpan {
  readonly afterId: string;
  readonly beforeId: string;
  /** Milliseconds; excludes earlier ends. */
  readonly endedSince: number;
}

export interface CallStep extends CallSpan {
  readonly limit: number;
  readonly isApart?: boolean;
}

/**
 * Without attempt rows, and on one day, 20 minutes from its ends: twice a platform's deviation,
 * because a clock might have been set in between.
 */
const isPlain = `
  (started_at - 1200000) / 86400000 = (ended_at + 1200000) / 86400000
  and (attempts <> '[]'
       or not exists (select 1 from attempt where attempt.call_id = call.call_id))`;

const inSpan = 'from call where call_id > $1 and call_id < $2 and ended_at >= $3 and cost > 0';
const stepEnd = 'order by call_id limit $4';
const selectStep = ['select *', inSpan, stepEnd].join(' ');
const selectStepApart = ['select *', inSpan, 'and not (', isPlain, ')', stepEnd].join(' ');

export function selectCostlyCalls(step: CallStep): Query<readonly CallRecord[]> {
  return {
    sql: step.isApart === true ? selectStepApart : selectStep,
    values: [step.afterId, step.beforeId, step.endedSince, step.limit],
    isLong: true,
    map: (rows) => rows.map(tables.calls.read),
  };
}

export interface PlainSum {
  readonly app: string;
  readonly model: string;
  /** Undefined for calls of versions that did not record it. */
  readonly platform: string | undefined;
  readonly day: string;
  readonly exact: bigint;
  readonly estimated: bigint;
}

/**
 * Nearly all calls in one statement; only calls that cost something. Usage under `others`, not a
 * model, counts for the requested model.
 */
export function selectBookedSums(span: CallSpan, others: string): Query<readonly PlainSum[]> {
  return {
    sql: selectPlainSums,
    values: [span.afterId, span.beforeId, span.endedSince, others],
    isLong: true,
    map: (rows) =>
      rows.map((row) => ({
        app: text(row, 'app'),
        model: text(row, 'name'),
        platform: optionalText(row, 'platform'),
        day: utcDayOf(int(row, 'day_number') * 86_400_000),
        exact: wideSum(row, 'exact'),
        estimated: wideSum(row, 'estimated'),
      })),
  };
}

const plainSums = withSums(`
  select app, case when usage_model = $4 then model else usage_model end as name, platform,
         ended_at / 86400000 as day_number, wide_sum(cost - estimated) as exact, wide_sum(estimated) as estimated`);
const selectPlainSums = [plainSums, inSpan, 'and', isPlain, 'group by 1, 2, 3, 4'].join(' ');

export function selectAttemptsBetween(first: string, last: string): Query<readonly Attempt[]> {
  return {
    sql: `
      select * from attempt
       where call_id >= $1 and call_id <= $2
       order by call_id, n`,
    values: [first, last],
    isLong: true,
    map: (rows) => rows.map(tables.attempts.read),
  };
}
