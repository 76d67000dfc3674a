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

/** The service's epoch, in the store and in a file next to it. */
export interface Epochs {
  /** Compares the two epochs with the last served store. */
  readOrigin(): StoreOrigin;
  /** Names a store without a name. */
  begin(storeId: string): void;
  /** Copies the log into the database, and begins the next epoch only in the log. */
  advance(): void;
  /** The service ended normally. */
  end(): void;
}

const selectTable = "select 1 from sqlite_schema where type = 'table' and name = 'store_epoch'";
const selectEpoch = 'select store_id, epoch, copied from store_epoch where id = 1';
const putEpoch = `
  insert into store_epoch (id, store_id, epoch, copied) values (1, ?, ?, 0)
  on conflict (id) do update set epoch = excluded.epoch, copied = 0`;

/**
 * Committed to the log after each checkpoint, then written to the file. A database without its log,
 * or an older copy, has an older epoch than the file. Detects only lost commits. ADR 0027.
 */
export function createEpochs(database: DatabaseSync, path: string): Epochs {
  const file = sideFileOf(path);
  return {
    readOrigin: () => originOf(database, readSideFile(file)),
    begin(storeId) {
      const side = readSideFile(file);
      const stored = read(database);
      const store = stored?.store ?? storeId;
      const sideEpoch = typeof side === 'object' && side.store === store ? side.epoch : 0;
      const epoch = Math.max(stored?.epoch ?? 0, sideEpoch) + 1;
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
    const stored = read(database);
    if (stored === undefined) throw new Error('no service has started on this store');
    return stored;
  }
}

/** Only copies have this form: a service leaves the store in WAL mode. */
export function noteCopy(database: DatabaseSync) {
  // A copy of an earlier version's store has no table for the note.
  if (database.prepare(selectTable).get() === undefined) return;
  database.exec('update store_epoch set copied = 1');
}

interface StoredEpoch {
  readonly store: string;
  readonly epoch: number;
  readonly isCopy: boolean;
}

function read(database: DatabaseSync): StoredEpoch | undefined {
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
  const stored = read(database);
  if (stored === undefined) return originOfNameless(database, side);
  if (side === undefined) return 'missing';
  if (side === 'unreadable' || side.store !== stored.store) return 'foreign';
  if (stored.epoch < side.epoch) return 'older';
  // The copy is from the epoch of a killed service, so it lacks the later commits.
  if (stored.isCopy && stored.epoch === side.epoch && !side.isClean) return 'older';
  return 'whole';
}

/** A new store, or one last used by a version without epochs. */
function originOfNameless(
  database: DatabaseSync,
  side: ReturnType<typeof readSideFile>,
): StoreOrigin {
  if (side === undefined) return 'whole';
  const hasCalls = database.prepare('select 1 from budget_day limit 1').get() !== undefined;
  return hasCalls ? 'older' : 'foreign';
}
