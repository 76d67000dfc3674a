import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StageParts, StageResult } from './stage.ts';

const name = 'replicas';

/**
 * PostgreSQL shares every cap between services; SQLite's file is one service's, and a second must
 * not start on it, not even through a link.
 */
export async function secondService({ arena }: StageParts): Promise<StageResult> {
  const target = arena.config.store;
  if (target.kind === 'postgres') {
    return { name, line: 'two services share the store, and each call goes to either' };
  }
  const link = join(arena.folder, 'link.db');
  const file = join(arena.folder, 'second.yaml');
  await symlink(target.path, link);
  await writeFile(file, await withStore(arena.config.file, `sqlite:${link}`));
  try {
    const second = await arena.start(file);
    await second.end('SIGKILL');
    return {
      name,
      line: 'a second service started on the same file',
      broken: ['replicas: two services serve one SQLite store, and each trusts its own books'],
    };
  } catch {
    // It ended before it was ready, as it must: two would each count for themselves.
    return { name, line: 'a second service on the same SQLite file, by a link: did not start' };
  } finally {
    await Promise.all([rm(link), rm(file)]);
  }
}

async function withStore(file: string, store: string): Promise<string> {
  const yaml = await readFile(file, 'utf8');
  return yaml.replace(/^store: .*$/m, `store: ${JSON.stringify(store)}`);
}
