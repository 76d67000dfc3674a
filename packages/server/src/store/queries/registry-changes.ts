import { big, text } from '../columns.ts';
import type { Query, Statement } from '../port.ts';

// Lines of what each revision changed. Triggers write them, in the transaction of the change.

const changeKinds = ['app', 'key', 'binding', 'budget'] as const;
/** Of which kind a changed row is. */
export type ChangeKind = (typeof changeKinds)[number];

/** What changed after a revision: names of apps, ids of keys, apps of bindings, budget scopes. */
export interface RegistryChanges {
  /** The revision after which they came. */
  readonly since: bigint;
  /** The revision that they lead to. */
  readonly revision: bigint;
  readonly ids: Readonly<Record<ChangeKind, ReadonlySet<string>>>;
}

/** More lines than that are not read one by one. */
const linesMax = 5_000;

/** Older revisions have no lines: a service that was away for longer reads all rows. */
export const revisionsKept = 1_000;

/** Lines that one change deletes at most: a bulk change may have left many of one revision. */
const prunedMax = 500;

/**
 * What changed after a revision. Undefined where that is not known: a revision has no lines, since
 * they were pruned or something else changed, or there are too many lines.
 */
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
      // Some lines of an older one may be deleted already.
      if (revision - since > revisionsKept) return undefined;
      const described = new Set(rows.map((row) => big(row, 'revision')));
      if (BigInt(described.size) !== revision - since) return undefined;
      const idsOf = (kind: ChangeKind) =>
        new Set(rows.flatMap((row) => (row.kind === kind ? [text(row, 'id')] : [])));
      const budget = idsOf('budget');
      // The caps of these scopes are read with their apps.
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

/** Deletes lines of revisions that are too old; comes after the revision has grown. */
export const pruneChanges: Statement = {
  sql: `
    delete from registry_change
     where (revision, kind, id) in (
             select revision, kind, id from registry_change
              where revision <= (select value from revision where id = 1) - $1
              order by revision
              limit $2)`,
  values: [revisionsKept, prunedMax],
};
