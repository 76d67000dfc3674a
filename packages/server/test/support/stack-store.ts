import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreForCommand } from '../../src/compose/open-store.ts';
import type { Config } from '../../src/domain/config.ts';
import { silentLog } from '../../src/lib/silent-log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { loadMigrations, type Migration } from '../../src/store/schema/migrations.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/engine.ts';
import { prepareFile } from '../../src/store/sqlite/file/prepare-file.ts';
import { makePrivateFolder, privateFileMode } from '../../src/store/sqlite/file/private-file.ts';

/**
 * The store of a stack. An embedded one has no threads, and its commits do not wait for the disk.
 * The store's own tests and the tests of processes open it as a service does.
 */
export async function openStackStore({
  store: target,
  keyRing,
}: Pick<Config, 'store' | 'keyRing'>): Promise<Store> {
  if (target.kind === 'postgres') {
    return openStoreForCommand({ target, ring: keyRing, log: silentLog });
  }
  shared ??= loadShared();
  const { migrations, empty } = shared;
  if (!existsSync(target.path)) {
    makePrivateFolder(target.path);
    writeFileSync(target.path, empty, { mode: privateFileMode });
  }
  const { path, ring } = prepareFile({ path: target.path, ring: keyRing, log: silentLog });
  return openDirectStore(path, { migrations, ring, isDurable: false });
}

/** The template store of all stacks: creating it takes longer than opening a store. */
interface Shared {
  readonly migrations: readonly Migration[];
  /** A database with the schema and nothing else. */
  readonly empty: Buffer;
}

let shared: Shared | undefined;

function loadShared(): Shared {
  const migrations = loadMigrations('sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'model-gateway-empty-'));
  try {
    const path = join(folder, 'gateway.db');
    openSqliteEngine(path, { migrations }).close();
    return { migrations, empty: readFileSync(path) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
