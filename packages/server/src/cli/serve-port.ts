import type { Listen } from '../domain/listen.ts';
import type { CommandContext } from './context.ts';
import { readEnvironment } from './environment.ts';
import { readPort } from './values.ts';

/**
 * Where callers are answered: `--port`, else `PORT`, which hosts of containers set, else the file's
 * port. The address stays the file's. Throws a UsageError for what is no port.
 */
export function listenOn(
  { environment }: Pick<CommandContext, 'environment'>,
  option: string | undefined,
  ofFile: Listen,
): Listen {
  if (option !== undefined) return { ...ofFile, port: readPort('--port', option) };
  return { ...ofFile, port: readEnvironment(environment).PORT ?? ofFile.port };
}
