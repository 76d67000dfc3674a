import { Command } from 'commander';
import { commands } from '../../packages/server/src/cli/commands.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createIds } from '../../packages/server/src/lib/id.ts';

/** Every command that can be given, such as `apps list`, from the table of commands itself. */
export async function readLeaves(): Promise<readonly string[]> {
  const program = new Command();
  const context = {
    clock: systemClock,
    ids: createIds(systemClock),
    environment: {},
    print: () => undefined,
    warn: () => undefined,
    readStandardInput: async () => '',
  };
  for (const { load } of commands) (await load())(program, context);
  return program.commands.flatMap((command) => leavesOf(command, [command.name()]));
}

function leavesOf(command: Command, path: readonly string[]): readonly string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((inner) => leavesOf(inner, [...path, inner.name()]));
}
