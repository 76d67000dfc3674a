import type { Command } from 'commander';
import { type CommonOptions, UsageError } from './context.ts';
import { withSharedOptions } from './shared-options.ts';

/** Options of every command that changes something. */
export interface ChangeOptions extends CommonOptions {
  readonly reason?: string;
}

/** Gives a command that changes something the shared options, and `--reason`. */
export function withChangeOptions(command: Command): Command {
  return withSharedOptions(command).option('--reason <text>', 'why, for the audit log');
}

/** Long enough for a sentence with a ticket's address; the audit log keeps it for ever. */
const reasonMax = 500;

/** The reason that was given; throws a UsageError for a text that is none. */
export function reasonOf({ reason }: ChangeOptions): string | undefined {
  if (reason === undefined) return undefined;
  const isPlain = reason.trim() !== '' && !/\p{Cc}/u.test(reason) && reason.isWellFormed();
  if (isPlain && reason.length <= reasonMax) return reason;
  throw new UsageError(`--reason: must be 1–${reasonMax} characters on one line`);
}
