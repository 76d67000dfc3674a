import { createHmac } from 'node:crypto';
import type { Ids } from '../lib/id.ts';
import { pseudonymOf } from '../lib/pseudonym.ts';
import type { Store } from '../store/port/port.ts';
import { offerPseudonymKey, selectPseudonymKey } from '../store/queries/alerts.ts';

export type Pseudonyms = (app: string, userId: string) => string;

/** 96 bits: collisions are practically impossible. */
const digits = 24;

/**
 * Uses the key ring, or else a key from the store, which also has the users' names. The first
 * process creates that key. Throws a StoreError.
 */
export async function openPseudonyms({
  store,
  ids,
}: {
  readonly store: Pick<Store, 'read' | 'write' | 'ring'>;
  readonly ids: Pick<Ids, 'secret'>;
}): Promise<Pseudonyms> {
  const { ring } = store;
  if (ring !== undefined) return (app, userId) => pseudonymOf(ring, app, userId);
  const offered = ids.secret(43);
  await store.write([offerPseudonymKey(offered)]);
  const key = (await store.read(selectPseudonymKey)) ?? offered;
  return (app, userId) => {
    const digest = createHmac('sha256', key).update(`${app}\n${userId}`).digest('hex');
    return `u_${digest.slice(0, digits)}`;
  };
}
