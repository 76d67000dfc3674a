import type { Command } from 'commander';
import { optional } from '../../operations/description/field.ts';
import { reasonField } from '../../operations/description/operation.ts';
import type { CommonOptions } from './context.ts';
import { readOptions } from './option-input.ts';
import { withSharedOptions } from './shared-options.ts';

export interface ChangeOptions extends CommonOptions {
  readonly reason?: string;
}

export function withChangeOptions(command: Command): Command {
  return withSharedOptions(command).option('--reason <text>', 'why, for the audit log');
}

/** Throws a UsageError for an invalid text. */
export function reasonOf(options: ChangeOptions): string | undefined {
  const { reason } = readOptions({ reason: optional(reasonField) }, [], { ...options }, 0);
  return typeof reason === 'string' ? reason : undefined;
}
