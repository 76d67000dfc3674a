import type { Restore } from '../domain/restore.ts';
import { eachInTurns } from '../lib/in-turns.ts';
import type { SqlRow, Store } from '../store/port/port.ts';
import type { RegistryChanges } from '../store/queries/registry-changes.ts';
import {
  appRows,
  bindingRows,
  budgetRows,
  keyRows,
  type RegistryRows,
  selectChanged,
  selectPage,
} from '../store/queries/registry-rows.ts';
import { selectRestore } from '../store/queries/restores.ts';
import {
  createRegistryState,
  nothingChanged,
  type RegistryState,
  type RowsRead,
} from './registry-state.ts';

const rowsAtOnce = 250;

/**
 * Reads page by page, on a connection that no commit waits for. Pages are read at different times;
 * changes since an earlier revision fill the gaps.
 */
export async function readState(
  store: Store,
  company: string,
  restore: Restore | undefined,
): Promise<RegistryState> {
  const state = createRegistryState();
  const none: RowsRead = { apps: [], keys: [], bindings: [], budgets: [], restore };
  // Bindings come first: an app needs its projects.
  await eachLot(bindingRows, (bindings) => state.change(nothingChanged, { ...none, bindings }));
  await eachLot(appRows(company), (apps) => state.change(nothingChanged, { ...none, apps }));
  await eachLot(keyRows, (keys) => state.change(nothingChanged, { ...none, keys }));
  await eachLot(budgetRows, (budgets) => state.change(nothingChanged, { ...none, budgets }));
  return state;

  async function eachLot<Row>(table: RegistryRows<Row>, work: (rows: readonly Row[]) => void) {
    let page = await store.readForOperator(selectPage(table, undefined));
    while (page.length > 0) {
      let last: Row | undefined;
      const takeOver = (lot: readonly SqlRow[]) => {
        const rows = lot.map(table.parse);
        work(rows);
        last = rows.at(-1);
      };
      await eachInTurns(lotsOf(page), takeOver, 1);
      page = await store.readForOperator(selectPage(table, last));
    }
  }
}

function lotsOf(rows: readonly SqlRow[]): readonly (readonly SqlRow[])[] {
  const lots: (readonly SqlRow[])[] = [];
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    lots.push(rows.slice(from, from + rowsAtOnce));
  }
  return lots;
}

export async function readChanged(
  store: Store,
  company: string,
  { since, ids }: RegistryChanges,
): Promise<RowsRead> {
  const [apps, keys, bindings, budgets, restore] = await Promise.all([
    read(appRows(company), ids.app),
    read(keyRows, ids.key),
    read(bindingRows, ids.binding),
    read(budgetRows, ids.budget),
    store.read(selectRestore),
  ]);
  return { apps, keys, bindings, budgets, restore };

  async function read<Row>(table: RegistryRows<Row>, named: ReadonlySet<string>) {
    if (named.size === 0) return [];
    const rows = await store.read(selectChanged(table, since));
    const parsed: Row[] = [];
    await eachInTurns(rows, (row) => void parsed.push(table.parse(row)), rowsAtOnce);
    return parsed;
  }
}
