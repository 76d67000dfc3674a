import type { DatabaseSync } from 'node:sqlite';
import type { StoreOrigin } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import {
  readSideFile,
  type SideFile,
  sideFileOf,
  updateSideFile,
  writeSideFile,
} from './file/side-file.ts';

/** How far the service of a store has come with it, in the store and in a file beside it. */
export interface Epochs {
  /** Whether this is the store that was served last, by the two. */
  look(): StoreOrigin;
  /** Begins to serve; a store without a name gets this one. */
  begin(storeId: string): void;
  /** Copies the log into the database, and begins the next epoch in the log alone. */
  advance(): void;
  /** Says that the service has ended in order. */
  end(): void;
}

const selectTable = "select 1 from sqlite_schema where type = 'table' and name = 'store_epoch'";
const selectEpoch = 'select store_id, epoch, copied from store_epoch where id = 1';
const putEpoch = `
  insert into store_epoch (id, store_id, epoch, copied) values (1, ?, ?, 0)
  on conflict (id) do update set epoch = excluded.epoch, copied = 0`;

/**
 * The epoch is committed to the log after each checkpoint, and then written to the file. So the
 * database without its log, and every earlier copy, has an older one than the file: who has lost
 * what was committed is found out, and nothing else. ADR 0027.
 */
export function createEpochs(database: DatabaseSync, path: string): Epochs {
  const file = sideFileOf(path);
  return {
    look: () => originOf(database, readSideFile(file)),
    begin(storeId) {
      const side = readSideFile(file);
      const known = read(database);
      const store = known?.store ?? storeId;
      const beside = typeof side === 'object' && side.store === store ? side.epoch : 0;
      const epoch = Math.max(known?.epoch ?? 0, beside) + 1;
      commit({ store, epoch });
      writeSideFile(file, { store, epoch, isClean: false });
      advance();
    },
    advance,
    end() {
      const { store, epoch } = served();
      commit({ store, epoch: epoch + 1 });
      writeSideFile(file, { store, epoch: epoch + 1, isClean: true });
    },
  };

  function advance() {
    database.exec('pragma wal_checkpoint(passive)');
    const { store, epoch } = served();
    commit({ store, epoch: epoch + 1 });
    updateSideFile(file, { store, epoch: epoch + 1, isClean: false });
  }

  function commit({ store, epoch }: Pick<SideFile, 'store' | 'epoch'>) {
    database.prepare(putEpoch).run(store, epoch);
  }

  function served() {
    const known = read(database);
    if (known === undefined) throw new Error('no service has begun on this store');
    return known;
  }
}

/** Notes that the store was found in a form that only copies have: no service left it so. */
export function noteCopy(database: DatabaseSync) {
  // A copy of a store of an earlier version has nothing to note it in.
  if (database.prepare(selectTable).get() === undefined) return;
  database.exec('update store_epoch set copied = 1');
}

interface Known {
  readonly store: string;
  readonly epoch: number;
  readonly isCopy: boolean;
}

function read(database: DatabaseSync): Known | undefined {
  const statement = database.prepare(selectEpoch);
  statement.setReadBigInts(true);
  const row = statement.get();
  if (row === undefined) return undefined;
  return {
    store: text(row, 'store_id'),
    epoch: int(row, 'epoch'),
    isCopy: int(row, 'copied') === 1,
  };
}

function originOf(database: DatabaseSync, side: ReturnType<typeof readSideFile>): StoreOrigin {
  const known = read(database);
  if (known === undefined) return originOfNameless(database, side);
  if (side === undefined) return 'missing';
  if (side === 'unreadable' || side.store !== known.store) return 'foreign';
  if (known.epoch < side.epoch) return 'older';
  // A copy of the epoch that a killed service was in: what came after it is not in the copy.
  if (known.isCopy && known.epoch === side.epoch && !side.isClean) return 'older';
  return 'whole';
}

/** A new store, or one that was last served by a version without epochs. */
function originOfNameless(
  database: DatabaseSync,
  side: ReturnType<typeof readSideFile>,
): StoreOrigin {
  if (side === undefined) return 'whole';
  const hasCalls = database.prepare('select 1 from budget_day limit 1').get() !== undefined;
  return hasCalls ? 'older' : 'foreign';
}
