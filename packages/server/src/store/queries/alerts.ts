import type { Query, Statement } from '../port/port.ts';
import { alertEvents, type StoredAlert } from '../schema/alert-tables.ts';
import { int, optionalText, text } from '../schema/columns.ts';
import { insertBut } from '../schema/row-statement.ts';

// What operators are told, and how far each hook has been told of it.

/** Bounds what a hook that is away for a day stores. */
const waitingMax = 5_000;

const insertEvent = insertBut(
  alertEvents,
  [],
  'on conflict (type, subject, period, mark) do nothing',
);

/** Once for each type, subject, period and mark. */
export function raiseAlert(event: StoredAlert): Statement {
  return { sql: insertEvent.sql, values: insertEvent.bind(event) };
}

/** Due at once; nothing where the event was there before. */
export function addDelivery({ id }: StoredAlert, webhook: string): Statement {
  return { sql: insertDelivery, values: [id, webhook, waitingMax, crowded] };
}

const crowded = `not sent, because ${waitingMax} other events were waiting`;
const insertDelivery = `
  insert into alert_delivery (event, hook, attempts, next_at, status, last_error)
  select id, cast($2 as text), 0, 0,
         case when others.waiting < $3 then 'waiting' else 'dead' end,
         case when others.waiting < $3 then null else cast($4 as text) end
    from alert_event
   cross join (
         select count(*) as waiting
           from (select hook from alert_delivery
                  where hook = $2 and status = 'waiting' limit $3) as first) as others
   where id = $1`;

export interface DueDelivery extends StoredAlert {
  readonly hook: string;
  readonly attempts: number;
}

export function selectDue(
  webhook: string,
  nowMs: number,
  limit: number,
): Query<readonly DueDelivery[]> {
  return {
    sql: `
      select alert_event.*, alert_delivery.hook, alert_delivery.attempts
        from alert_delivery join alert_event on alert_event.id = alert_delivery.event
       where alert_delivery.hook = $1 and alert_delivery.status = 'waiting'
         and alert_delivery.next_at <= $2
       order by alert_delivery.next_at, alert_delivery.event
       limit $3`,
    values: [webhook, nowMs, limit],
    map: (rows) =>
      rows.map((row) => ({
        ...alertEvents.read(row),
        hook: text(row, 'hook'),
        attempts: int(row, 'attempts'),
      })),
  };
}

/** A delivery that no longer waits stays unchanged. */
export interface AttemptResult {
  readonly event: string;
  readonly hook: string;
  readonly status: 'waiting' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly nextAt: number;
  readonly lastError: string | undefined;
}

export function noteAttempt(result: AttemptResult): Statement {
  const { event, hook, status, attempts, nextAt, lastError } = result;
  return {
    sql: `
      update alert_delivery
         set status = $3, attempts = $4, next_at = $5, last_error = $6
       where event = $1 and hook = $2 and status = 'waiting'`,
    values: [event, hook, status, attempts, nextAt, lastError ?? null],
  };
}

export interface WaitingDeliveries {
  readonly hook: string;
  readonly waiting: number;
  readonly nextAt: number;
  readonly oldestAt: number;
}

export const selectWaiting: Query<readonly WaitingDeliveries[]> = {
  sql: `
    select hook, cast(count(*) as bigint) as waiting, min(next_at) as next_at, min(at) as oldest_at
      from alert_delivery join alert_event on alert_event.id = alert_delivery.event
     where status = 'waiting'
     group by hook
     order by hook`,
  values: [],
  map: (rows) =>
    rows.map((row) => ({
      hook: text(row, 'hook'),
      waiting: int(row, 'waiting'),
      nextAt: int(row, 'next_at'),
      oldestAt: int(row, 'oldest_at'),
    })),
};

export interface WebhookUse {
  readonly hook: string;
  readonly delivered: number;
  readonly waiting: number;
  readonly dead: number;
  /** Of the latest event that failed at first, or for good. */
  readonly lastError: string | undefined;
}

export const selectWebhookUses: Query<readonly WebhookUse[]> = {
  sql: `
    select hook,
           cast(sum(case status when 'delivered' then 1 else 0 end) as bigint) as delivered,
           cast(sum(case status when 'waiting' then 1 else 0 end) as bigint) as waiting,
           cast(sum(case status when 'dead' then 1 else 0 end) as bigint) as dead,
           (select latest.last_error from alert_delivery latest
             where latest.hook = alert_delivery.hook and latest.last_error is not null
             order by latest.event desc limit 1) as last_error
      from alert_delivery
     group by hook
     order by hook`,
  values: [],
  isLong: true,
  map: (rows) =>
    rows.map((row) => ({
      hook: text(row, 'hook'),
      delivered: int(row, 'delivered'),
      waiting: int(row, 'waiting'),
      dead: int(row, 'dead'),
      lastError: optionalText(row, 'last_error'),
    })),
};

/** At most `limit` events; deliveries first. */
export function pruneAlerts(beforeMs: number, limit: number): readonly Statement[] {
  const values = [beforeMs, limit];
  return [deleteOldDeliveries, deleteOld].map((sql) => ({ sql, values }));
}

const deleteOldDeliveries = `
  delete from alert_delivery
   where event in (select id from alert_event where at < $1 order by at, id limit $2)`;
const deleteOld = `
  delete from alert_event
   where id in (select id from alert_event where at < $1 order by at, id limit $2)`;

/** For hooks that no process knows, so none tries. */
export function giveUpUnknown(beforeMs: number): Statement {
  return {
    sql: `
      update alert_delivery
         set status = 'dead', last_error = 'no configuration has this hook any more'
       where status = 'waiting' and next_at < $1
         and event in (select id from alert_event where at < $1)`,
    values: [beforeMs],
  };
}

/** The first key that a process offers stays. */
export function offerPseudonymKey(secret: string): Statement {
  return {
    sql: 'insert into pseudonym_key (id, secret) values (1, $1) on conflict (id) do nothing',
    values: [secret],
  };
}

/** Undefined where none was needed yet. */
export const selectPseudonymKey: Query<string | undefined> = {
  sql: 'select secret from pseudonym_key where id = 1',
  values: [],
  map: ([row]) => (row === undefined ? undefined : text(row, 'secret')),
};

export function giveUp(webhook: string, reason: string): Statement {
  return {
    sql: `
      update alert_delivery set status = 'dead', last_error = $2
       where hook = $1 and status = 'waiting'`,
    values: [webhook, reason],
  };
}
