import type { Query, Statement } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';

/** Answered 410; known by its entry's digest. */
export interface DisabledWebhook {
  readonly hook: string;
  readonly digest: string;
  readonly at: number;
}

export const selectDisabledWebhooks: Query<readonly DisabledWebhook[]> = {
  sql: 'select hook, digest, at from alert_hook_gone order by hook',
  values: [],
  map: (rows) =>
    rows.map((row) => ({
      hook: text(row, 'hook'),
      digest: text(row, 'digest'),
      at: int(row, 'at'),
    })),
};

export function addDisabledWebhook({ hook, digest, at }: DisabledWebhook): Statement {
  return {
    sql: `
      insert into alert_hook_gone (hook, digest, at) values ($1, $2, $3)
      on conflict (hook) do update set digest = excluded.digest, at = excluded.at`,
    values: [hook, digest, at],
  };
}

export function removeDisabledWebhook(webhook: string): Statement {
  return { sql: 'delete from alert_hook_gone where hook = $1', values: [webhook] };
}
