import type { Command } from 'commander';
import { optional } from '../operations/field.ts';
import { reasonField } from '../operations/operation.ts';
import type { CommonOptions } from './context.ts';
import { readOptions } from './option-input.ts';
import { withSharedOptions } from './shared-options.ts';

/** Options of every command that changes something. */
export interface ChangeOptions extends CommonOptions {
  readonly reason?: string;
}

/** Gives a command that changes something the shared options, and `--reason`. */
export function withChangeOptions(command: Command): Command {
  return withSharedOptions(command).option('--reason <text>', 'why, for the audit log');
}

/** The reason that was given; throws a UsageError for a text that is none. */
export function reasonOf(options: ChangeOptions): string | undefined {
  const { reason } = readOptions({ reason: optional(reasonField) }, [], { ...options }, 0);
  return typeof reason === 'string' ? reason : undefined;
}
