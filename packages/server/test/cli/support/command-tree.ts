import { Command } from 'commander';
import { commands } from '../../../src/cli/commands.ts';
import { withSharedOptions } from '../../../src/cli/process/shared-options.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createIds } from '../../../src/lib/id.ts';

export type { Command };

/** The whole program, with every command and option. Its actions are not meant to run. */
export async function loadCommandTree(): Promise<Command> {
  const program = new Command('model-gateway').version('0.0.0');
  const context = {
    clock: systemClock,
    ids: createIds(systemClock),
    environment: {},
    print: () => undefined,
    warn: () => undefined,
    readStandardInput: async () => '',
  };
  for (const { load } of commands) (await load())(program, context);
  return withSharedOptions(program);
}

/** The executable commands (without subcommands), each with its path. */
export function leavesOf(
  command: Command,
  path: string[] = [],
): readonly (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name()]));
}
