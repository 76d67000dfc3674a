import type { Query } from '../port/port.ts';
import { text } from '../schema/columns.ts';

export interface Mark {
  readonly topic: string;
  readonly text: string;
}

/**
 * For the console: an app's day, its rejections from an hour on, registry, audit log, replicas with
 * circuits, imported invoices.
 */
export function selectMarks(day: string, sinceMs: number): Query<readonly Mark[]> {
  return {
    sql: `
      select 'app:' || app as topic,
             spent || ' ' || held || ' ' || coalesce(cast(cap as text), '') as mark
        from budget_day
       where day = $1
       union all
      select 'app:' || app, cast(sum(refused) as text)
        from refusal_hour
       where hour >= $2
       group by app
       union all
      select 'registry', cast(value as text) from revision where id = 1
       union all
      select 'audit', coalesce(max(id), '') from audit_log
       union all
      select 'reconcile', cast(coalesce(max(seen_at), 0) as text) from invoice_day
       union all
      select 'health', coalesce(string_agg(id || config_hash, ' '), '') from owner
       union all
      select 'health', coalesce(string_agg(owner || platform || model, ' '), '')
        from open_circuit`,
    values: [day, sinceMs],
    map: (rows) => rows.map((row) => ({ topic: text(row, 'topic'), text: text(row, 'mark') })),
  };
}
