import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AdminError } from '../admin/admin-error.ts';
import { backUpSqlite } from '../store/sqlite/back-up.ts';
import { type CommandContext, type CommonOptions, readConfig } from './context.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `backup FILE`: a whole copy of a SQLite store, also of one that is in use. */
export function registerBackup(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('backup <file>').description('copy a SQLite store, also while it is served'),
  ).action((file: string, _options: unknown, command: Command) =>
    backUp(context, file, command.optsWithGlobals<CommonOptions>()),
  );
}

function backUp(context: CommandContext, file: string, options: CommonOptions): void {
  const { store } = readConfig(context, options);
  const target = resolve(file);
  if (store.kind !== 'sqlite') {
    throw new AdminError('the store is PostgreSQL: back it up with pg_dump (docs/operations.md)');
  }
  if (existsSync(target)) {
    throw new AdminError(`${target} is there already: name a new file`);
  }
  const document = { store: store.path, file: target, bytes: backUpSqlite(store.path, target) };
  printDocument(context, options, document, ({ bytes }) => [
    `Wrote ${target}, ${bytes} bytes. Keep ${store.path}.epoch where it is: a restore needs it.`,
  ]);
}
