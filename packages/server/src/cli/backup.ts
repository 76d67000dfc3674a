import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUpStore } from '../operations/store/back-up-store.ts';
import { type CommandContext, type CommonOptions, readParts } from './context.ts';
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

function backUp(context: CommandContext, name: string, options: CommonOptions): void {
  const copy = backUpStore(readParts(context, options, { parts: [] }).store, resolve(name));
  printDocument(context, options, copy, ({ store, file, bytes }) => [
    `Wrote ${file}, ${bytes} bytes. Keep ${store}.epoch where it is: a restore needs it.`,
    `Keep ${store}.keys elsewhere, unless MODEL_GATEWAY_KEYS has it: without it what is sealed is lost.`,
  ]);
}
