import type { Command } from 'commander';
import { storeVersion } from '../operations/store/schema-version.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onStore } from './run-admin.ts';
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
  const found = await onStore(context, options, storeVersion);
  printDocument(context, options, found, ({ store, schemaVersion }) => [
    `The ${store} store has schema version ${schemaVersion}, which is up to date.`,
  ]);
}
