import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/domain/config.ts';
import { silentLog } from '../../src/lib/silent-log.ts';
import { openStoreForCommand } from '../../src/store/open.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteEngine } from '../../src/store/sqlite/engine.ts';
import { makePrivateFolder, privateFileMode } from '../../src/store/sqlite/private-file.ts';

/**
 * The store of a stack. An embedded one is in this thread, as commands have it, so that no test
 * waits for another thread; services with one are what the tests of processes start.
 */
export function openStackStore({
  store: target,
  keyRing: ring,
}: Pick<Config, 'store' | 'keyRing'>): Promise<Store> {
  if (target.kind === 'sqlite' && !existsSync(target.path)) {
    makePrivateFolder(target.path);
    writeFileSync(target.path, emptyDatabase(), { mode: privateFileMode });
  }
  return openStoreForCommand({ target, ring, log: silentLog });
}

let empty: Buffer | undefined;

/** Its schema and nothing else: to make that takes as long as all the rest of opening a store. */
function emptyDatabase(): Buffer {
  empty ??= makeEmpty();
  return empty;
}

function makeEmpty(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'model-gateway-empty-'));
  try {
    const path = join(folder, 'gateway.db');
    openSqliteEngine(path).close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
