import { alertEvents, type StoredAlert } from '../alert-tables.ts';
import { int, optionalText, text } from '../columns.ts';
import type { Query, Statement } from '../port.ts';
import { insertBut } from '../row-statement.ts';

// What operators are told, and how far each hook has been told of it.

/** A hook that is away for a day fills no more of the store than this. */
const waitingMax = 5_000;

const insertEvent = insertBut(
  alertEvents,
  [],
  'on conflict (type, subject, period, mark) do nothing',
);

/** Writes an event unless there is one of its type, subject, period and mark. */
export function raiseAlert(event: StoredAlert): Statement {
  return { sql: insertEvent.sql, values: insertEvent.bind(event) };
}

/** What a hook is to be told of an event, due at once; nothing where the event was there before. */
export function addDelivery({ id }: StoredAlert, hook: string): Statement {
  return { sql: insertDelivery, values: [id, hook, waitingMax, crowded] };
}

const crowded = `not sent: ${waitingMax} others were waiting`;
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

/** A delivery that is due, with its event. */
export interface DueDelivery extends StoredAlert {
  readonly hook: string;
  /** Attempts that have failed. */
  readonly attempts: number;
}

/** What a hook is to be told by now: at most `limit`, the longest due first. */
export function selectDue(
  hook: string,
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
    values: [hook, nowMs, limit],
    map: (rows) =>
      rows.map((row) => ({
        ...alertEvents.read(row),
        hook: text(row, 'hook'),
        attempts: int(row, 'attempts'),
      })),
  };
}

/** What became of an attempt; nothing is changed of a delivery that waits no more. */
export interface AttemptResult {
  readonly event: string;
  readonly hook: string;
  readonly status: 'waiting' | 'delivered' | 'dead';
  /** Attempts in all. */
  readonly attempts: number;
  readonly nextAt: number;
  readonly lastError: string | undefined;
}

/** Notes an attempt. */
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

/** What waits for a hook. */
export interface WaitingDeliveries {
  readonly hook: string;
  readonly waiting: number;
  /** When the next one is due. */
  readonly nextAt: number;
  /** When the oldest one happened. */
  readonly oldestAt: number;
}

/** What waits, by hook. */
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

/** What became of the deliveries of a hook that are kept. */
export interface HookUse {
  readonly hook: string;
  readonly delivered: number;
  readonly waiting: number;
  readonly dead: number;
  /** Of the latest event that could not be delivered at first, or not at all. */
  readonly lastError: string | undefined;
}

/** What became of deliveries, by hook. */
export const selectHookUses: Query<readonly HookUse[]> = {
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

/** Forgets what happened before a moment, so many events at most: deliveries first. */
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

/** Gives up what waits since a moment for hooks that no process tries, since none knows them. */
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

/** The key of pseudonyms; the first that a process has offered stays. */
export function offerPseudonymKey(secret: string): Statement {
  return {
    sql: 'insert into pseudonym_key (id, secret) values (1, $1) on conflict (id) do nothing',
    values: [secret],
  };
}

/** The key of pseudonyms; undefined where none was needed yet. */
export const selectPseudonymKey: Query<string | undefined> = {
  sql: 'select secret from pseudonym_key where id = 1',
  values: [],
  map: ([row]) => (row === undefined ? undefined : text(row, 'secret')),
};

/** Gives up what waits for a hook. */
export function giveUp(hook: string, reason: string): Statement {
  return {
    sql: `
      update alert_delivery set status = 'dead', last_error = $2
       where hook = $1 and status = 'waiting'`,
    values: [hook, reason],
  };
}
