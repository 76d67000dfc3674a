import { createHmac } from 'node:crypto';
import type { Ids } from '../lib/id.ts';
import { pseudonymOf } from '../lib/pseudonym.ts';
import type { Store } from '../store/port.ts';
import { offerPseudonymKey, selectPseudonymKey } from '../store/queries/alerts.ts';

/** What bodies call an app's user: always the same, and nothing that tells who it is. */
export type Pseudonyms = (app: string, userId: string) => string;

/** Hexadecimal digits: 96 bits, so that no two users have the same. */
const digits = 24;

/**
 * The pseudonyms of a store: under its key ring; without one, of a key that the first process makes
 * which needs it, and that is nowhere but in the store, where the users' names are as well. Throws
 * a StoreError.
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
