import type { Command } from 'commander';
import { schemaVersion } from '../admin/schema-version.ts';
import { type CommandContext, type CommonOptions, readConfig, withAdmin } from './context.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `migrate`: brings the store's schema up to date, as opening it always does. */
export function registerMigrate(program: Command, context: CommandContext): void {
  withSharedOptions(
    program.command('migrate').description("bring the store's schema up to date"),
  ).action((_options: unknown, command: Command) =>
    migrate(context, command.optsWithGlobals<CommonOptions>()),
  );
}

async function migrate(context: CommandContext, options: CommonOptions) {
  const config = readConfig(context, options);
  const document = await withAdmin(context, config, async ({ store }) => ({
    store: store.kind,
    schemaVersion: await schemaVersion(store),
  }));
  printDocument(context, options, document, ({ store, schemaVersion: version }) => [
    `The ${store} store has schema version ${version}, which is up to date.`,
  ]);
}
