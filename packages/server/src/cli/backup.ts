import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AdminError } from '../admin/context.ts';
import { backUpSqlite } from '../store/sqlite/back-up.ts';
import { type CommonOptions, readConfig, type Shell } from './context.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `backup FILE`: a whole copy of a SQLite store, also of one that is in use. */
export function registerBackup(program: Command, shell: Shell): void {
  withSharedOptions(
    program.command('backup <file>').description('copy a SQLite store, also while it is served'),
  ).action((file: string, _options: unknown, command: Command) =>
    backUp(shell, file, command.optsWithGlobals<CommonOptions>()),
  );
}

function backUp(shell: Shell, file: string, options: CommonOptions): void {
  const { store } = readConfig(shell, options);
  const target = resolve(file);
  if (store.kind !== 'sqlite') {
    throw new AdminError('the store is PostgreSQL: back it up with pg_dump (docs/operations.md)');
  }
  if (existsSync(target)) {
    throw new AdminError(`${target} is there already: name a new file`);
  }
  const document = { store: store.path, file: target, bytes: backUpSqlite(store.path, target) };
  printDocument(shell, options, document, ({ bytes }) => [
    `Wrote ${target}, ${bytes} bytes. Keep ${store.path}.epoch where it is: a restore needs it.`,
  ]);
}
