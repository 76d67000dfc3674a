import type { OpenService } from '../../../packages/server/src/compose/open-service.ts';
import { issueKey } from '../../../packages/server/src/operations/keys/keys.ts';
import { prices } from '../../../packages/server/src/store/schema/price-table.ts';
import { filledApps, modelIds } from '../configuration.ts';
import { fillCalls } from './fill.ts';

/**
 * Fills an open service with so many calls of the last months, with its existing keys and prices.
 */
export async function fillHouse({ store, admin }: OpenService, calls: number): Promise<void> {
  const existing = await store.read({
    sql: 'select * from price',
    values: [],
    map: (rows) => rows.map(prices.read),
  });
  const apps = [];
  for (const app of filledApps) {
    const { id: keyId } = await issueKey(admin, { app, email: 'team@acme.example' });
    apps.push({ name: app, keyId });
  }
  const models = modelIds.flatMap((id) =>
    existing.flatMap(({ model, ...price }) => (model === id ? [{ id, ...price }] : [])),
  );
  await fillCalls(admin, { calls, apps, models, users: 2_000 });
}
