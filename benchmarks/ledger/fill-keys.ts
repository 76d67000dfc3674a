import { openStore } from '../../packages/server/src/compose/open-store.ts';
import { silentLog } from '../../packages/server/src/lib/log.ts';
import * as sql from '../../packages/server/src/store/queries/operator-statements.ts';
import { numbers } from './fill.ts';

/** Keys of one transaction. */
const stepKeys = 20_000;

/** Adds the keys of these numbers to a store: no caller has any of them. */
export async function fillKeys(
  store: string,
  { from, to, app }: { readonly from: number; readonly to: number; readonly app: string },
): Promise<void> {
  const kind = store.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const target =
    kind === 'sqlite'
      ? ({ kind, path: store.slice('sqlite:'.length) } as const)
      : ({ kind, url: store } as const);
  const onDeath = (error: Error) => {
    throw error;
  };
  const opened = await openStore({ target, log: silentLog, onDeath });
  const insert = `
    insert into api_key (id, key_hash, name, customer_id, enabled, created_at)
    ${numbers[kind]}
    select 'key_' || n, 'no hash ' || n, 'llm::user::${app}::team@acme.example', '${app}', 1, n
      from numbers`;
  for (let first = from; first < to; first += stepKeys) {
    await opened.write([
      { sql: sql.bumpRevision, values: [] },
      { sql: insert, values: [first, Math.min(first + stepKeys, to)] },
    ]);
  }
  await opened.close();
}
