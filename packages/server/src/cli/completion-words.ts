import { Command } from 'commander';
import { commands } from './commands.ts';
import type { CompletionWords } from './completion.ts';
import type { CommandContext } from './process/context.ts';

export async function wordsOfCommands(
  context: CommandContext,
): Promise<readonly CompletionWords[]> {
  const program = await programOfAll(context);
  return program.commands.flatMap((command) => [
    { path: [], next: [command.name()] },
    ...below(command, [command.name()]),
  ]);
}

export async function programOfAll(context: CommandContext): Promise<Command> {
  const program = new Command();
  for (const { load } of commands) (await load())(program, context);
  return program;
}

function below(command: Command, path: readonly string[]): readonly CompletionWords[] {
  const inner = command.commands.map((one) => one.name());
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '');
  return [
    { path, next: [...inner, ...choices, ...options, '--help'] },
    ...command.commands.flatMap((one) => below(one, [...path, one.name()])),
  ];
}
