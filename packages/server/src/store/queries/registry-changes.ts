import type { Query, Statement } from '../port/port.ts';
import { big, text } from '../schema/columns.ts';

// Lines of what each revision changed. Triggers write them, in the transaction of the change.

const changeKinds = ['app', 'key', 'binding', 'budget'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Names of apps, ids of keys, apps of bindings, budget scopes. */
export interface RegistryChanges {
  /** Exclusive. */
  readonly since: bigint;
  readonly revision: bigint;
  readonly ids: Readonly<Record<ChangeKind, ReadonlySet<string>>>;
}

const linesMax = 5_000;

/** A service that missed more reads all rows. */
export const revisionsRetained = 1_000;

/** Per change: a bulk change may have left many lines of one revision. */
const prunedMax = 500;

/** Undefined if unknown: lines were pruned, something else changed, or there are too many. */
export function selectChanges(since: bigint): Query<RegistryChanges | undefined> {
  return {
    sql: `
      select revision, kind, id, (select value from revision where id = 1) as current
        from registry_change
       where revision > $1
       order by revision
       limit $2`,
    values: [since, linesMax + 1],
    map(rows) {
      const [first] = rows;
      if (first === undefined || rows.length > linesMax) return undefined;
      const revision = big(first, 'current');
      // Some lines of an older revision may already be deleted.
      if (revision - since > revisionsRetained) return undefined;
      const described = new Set(rows.map((row) => big(row, 'revision')));
      if (BigInt(described.size) !== revision - since) return undefined;
      const idsOf = (kind: ChangeKind) =>
        new Set(rows.flatMap((row) => (row.kind === kind ? [text(row, 'id')] : [])));
      const budget = idsOf('budget');
      // These scopes' budgets are read with their apps.
      const app = new Set([...idsOf('app'), ...[...budget].flatMap(appOfScope)]);
      return {
        since,
        revision,
        ids: { app, key: idsOf('key'), binding: idsOf('binding'), budget },
      };
    },
  };
}

function appOfScope(scope: string): readonly string[] {
  const [, app] = /^(?:app|users):(.*)$/s.exec(scope) ?? [];
  return app === undefined ? [] : [app];
}

/** Must come after the revision has increased. */
export const pruneChanges: Statement = {
  sql: `
    delete from registry_change
     where (revision, kind, id) in (
             select revision, kind, id from registry_change
              where revision <= (select value from revision where id = 1) - $1
              order by revision
              limit $2)`,
  values: [revisionsRetained, prunedMax],
};
