import type { Field } from '../config/field.ts';
import { port } from '../config/scalars.ts';
import type { ListenAddress } from '../domain/listen.ts';
import type { CommandContext } from './process/context.ts';
import { readEnvironment } from './process/environment.ts';
import { UsageError } from './process/usage-error.ts';

/**
 * `--port`, else `PORT`, which container hosts set, else the file's port. The address is the
 * file's. Throws a UsageError for an invalid port.
 */
export function listenOn(
  { environment }: Pick<CommandContext, 'environment'>,
  option: string | undefined,
  ofFile: ListenAddress,
): ListenAddress {
  if (option !== undefined) return { ...ofFile, port: readPort('--port', option) };
  return { ...ofFile, port: readEnvironment(environment).PORT ?? ofFile.port };
}

/** 0 selects a free port. Throws a UsageError. */
export function readPort(option: string, text: string): number {
  const tree = { kind: 'scalar', text, written: text, isPlain: false } as const;
  const field: Field = { path: option, tree, problems: [] };
  const value = port(field);
  if (value !== undefined && field.problems.length === 0) return value;
  throw new UsageError(field.problems.join('\n'));
}
