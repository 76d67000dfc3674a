import type { Run } from '../../domain/run.ts';
import type { Query, SqlRow, Statement } from '../port/port.ts';
import { int } from '../schema/columns.ts';
import { table } from '../schema/table.ts';

export const runsSince = 22;

/** Locks the app's runs before another is created. */
export function countRun(app: string): Statement {
  return {
    sql: `
      insert into run_count (app, made) values ($1, 1)
      on conflict (app) do update set made = run_count.made + 1`,
    values: [app],
  };
}

/** Only if fewer than `openMax` are open, and none has its id. */
export function insertRun(run: Run, keyHash: string, openMax: number): Statement {
  const { app, id, parentKeyId, maxCostPicoUsd, models, userId, label } = run;
  return {
    sql: insertOpen,
    values: [
      ...[app, id, keyHash, parentKeyId, maxCostPicoUsd],
      ...[models === undefined ? null : JSON.stringify(models), userId ?? null, label ?? null],
      ...[run.createdAtMs, run.expiresAtMs, openMax],
    ],
    abortIfNoRows: true,
  };
}

const insertOpen = `
  insert into run
    (app, id, key_hash, parent_key_id, max_cost, models, user_id, label, created_at, expires_at,
     ended_at)
  select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text),
         cast($5 as bigint), cast($6 as text), cast($7 as text), cast($8 as text),
         cast($9 as bigint), cast($10 as bigint), null
   where (select count(*)
            from (select 1 from run
                   where app = $1 and ended_at is null and expires_at > $9
                   limit $11) as open) < $11
  on conflict (app, id) do nothing`;

export function selectRunOfKey(keyHash: string): Query<Run | undefined> {
  return { sql: 'select * from run where key_hash = $1', values: [keyHash], map: firstRun };
}

export function selectRun(app: string, id: string): Query<Run | undefined> {
  return { sql: 'select * from run where app = $1 and id = $2', values: [app, id], map: firstRun };
}

export function selectRunsOfId(id: string): Query<readonly Run[]> {
  return { sql: 'select * from run where id = $1', values: [id], map: (rows) => rows.map(runOf) };
}

/** Newest first. Undefined: all apps. */
export function selectOpenRuns(
  app: string | undefined,
  nowMs: number,
  limit: number,
): Query<readonly Run[]> {
  return {
    sql: `
      select * from run
       where (cast($1 as text) is null or app = $1) and ended_at is null and expires_at > $2
       order by created_at desc, id desc
       limit $3`,
    values: [app ?? null, nowMs, limit],
    map: (rows) => rows.map(runOf),
  };
}

/** Open at `nowMs`, begun before `beganMs`. */
export function countRunsBefore(beganMs: number, nowMs: number): Query<number> {
  return {
    sql: `
      select count(*) as n from run
       where created_at <= $1 and ended_at is null and expires_at > $2`,
    values: [beganMs, nowMs],
    map: ([row]) => (row === undefined ? 0 : int(row, 'n')),
  };
}

export function endRun(app: string, id: string, nowMs: number): Statement {
  return {
    sql: `
      update run set ended_at = $3
       where app = $1 and id = $2 and ended_at is null and expires_at > $3`,
    values: [app, id, nowMs],
  };
}

function firstRun([row]: readonly SqlRow[]): Run | undefined {
  return row === undefined ? undefined : runOf(row);
}

function runOf(row: SqlRow): Run {
  const { keyHash: _, maxCost, models, createdAt, expiresAt, endedAt, ...same } = runs.read(row);
  return {
    ...same,
    maxCostPicoUsd: maxCost,
    models: models === undefined ? undefined : JSON.parse(models),
    createdAtMs: createdAt,
    expiresAtMs: expiresAt,
    endedAtMs: endedAt,
  };
}

/** By the key's hash, without a secret. */
interface StoredRun {
  readonly app: string;
  readonly id: string;
  readonly keyHash: string;
  readonly parentKeyId: string;
  readonly maxCost: bigint;
  /** JSON. Undefined: the parent's. */
  readonly models: string | undefined;
  readonly userId: string | undefined;
  readonly label: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | undefined;
}

const runs = table<StoredRun>('run', ['app', 'id'], (row, as) => ({
  app: as.text(row.app),
  id: as.text(row.id),
  keyHash: as.text(row.keyHash),
  parentKeyId: as.text(row.parentKeyId),
  maxCost: as.big(row.maxCost),
  models: as.optionalText(row.models),
  userId: as.optionalText(row.userId),
  label: as.optionalText(row.label),
  createdAt: as.int(row.createdAt),
  expiresAt: as.int(row.expiresAt),
  endedAt: as.optionalInt(row.endedAt),
}));
