import type { Catalog } from '../../catalog/catalog.ts';
import { pricesText } from '../../catalog/price-text.ts';
import { isDecided } from '../../store/port/port.ts';
import {
  type BookChange,
  beginBook,
  begun,
  changeBook,
  selectBook,
} from '../../store/queries/price-book.ts';
import { type AuditContext, auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import type { PriceDifference } from '../documents/config.ts';
import { savePrices } from './prices.ts';

/** Empty on a store without a price book. */
export async function comparePrices(
  { store }: Pick<AdminContext, 'store'>,
  catalog: Pick<Catalog, 'pricesByModel'>,
): Promise<readonly PriceDifference[]> {
  const { isNew, changes } = await readChanges(store, catalog);
  return isNew ? [] : changes.map(differenceOf);
}

/**
 * Must come before calls are booked with these prices. Each changed model gets an audit line and is
 * returned.
 */
export async function putPricesInForce(
  context: AuditContext & Pick<AdminContext, 'store'>,
  catalog: Pick<Catalog, 'prices' | 'pricesByModel'>,
): Promise<readonly PriceDifference[]> {
  const { store } = context;
  await savePrices(store, catalog.prices());
  for (;;) {
    const { isNew, changes } = await readChanges(store, catalog);
    if (isNew) {
      await store.write(beginBook(changes));
      continue;
    }
    const statements = changes.flatMap((change) => {
      const { model, before, after } = change;
      const line = { action: 'price.set', subject: model, before, after };
      return [changeBook(change), auditLine(context, line)];
    });
    if (statements.length === 0) return [];
    const counts = await store.write(statements);
    // If another replica was first, the book is read again.
    if (isDecided(statements, counts)) return changes.map(differenceOf);
  }
}

function differenceOf({ model, before, after }: BookChange): PriceDifference {
  return { model, store: before ?? null, file: after ?? null };
}

async function readChanges(store: AdminContext['store'], catalog: Pick<Catalog, 'pricesByModel'>) {
  const entries = await store.read(selectBook);
  const book = new Map(entries.map(({ model, prices }) => [model, prices]));
  const isNew = !book.delete(begun.model);
  const next = new Map(catalog.pricesByModel().map((each) => [each.model, pricesText(each)]));
  const models = [...new Set([...book.keys(), ...next.keys()])].sort();
  const changes = models
    .map((model): BookChange => ({ model, before: book.get(model), after: next.get(model) }))
    .filter(({ before, after }) => before !== after);
  return { isNew, changes };
}
