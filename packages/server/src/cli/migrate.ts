import type { Command } from 'commander';
import { schemaVersion } from '../admin/schema-version.ts';
import { type CommonOptions, readConfig, type Shell, withAdmin } from './context.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `migrate`: brings the store's schema up to date, as opening it always does. */
export function registerMigrate(program: Command, shell: Shell): void {
  withSharedOptions(
    program.command('migrate').description("bring the store's schema up to date"),
  ).action((_options: unknown, command: Command) =>
    migrate(shell, command.optsWithGlobals<CommonOptions>()),
  );
}

async function migrate(shell: Shell, options: CommonOptions) {
  const config = readConfig(shell, options);
  const document = await withAdmin(shell, config, async ({ store }) => ({
    store: store.kind,
    schemaVersion: await schemaVersion(store),
  }));
  printDocument(shell, options, document, ({ store, schemaVersion: version }) => [
    `The ${store} store has schema version ${version}, which is up to date.`,
  ]);
}
