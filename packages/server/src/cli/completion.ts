import { Argument, Command } from 'commander';
import { type CompletionWords, completionScript, shells } from './completion-script.ts';
import type { CommandContext } from './context.ts';
import { withoutDocument } from './shared-options.ts';

/** Adds a command to a program. */
type Add = (program: Command, context: CommandContext) => void;

/** `completion SHELL`: prints what makes a shell complete words; it asks for nothing at a Tab. */
export function registerCompletion(
  program: Command,
  context: CommandContext,
  commands: readonly { readonly load: () => Promise<Add> }[],
): void {
  const command = program
    .command('completion')
    .description('print a completion script: bash, zsh, fish');
  withoutDocument(command)
    .addArgument(new Argument('<shell>', 'the shell that is to complete').choices(shells))
    .action(async (name: (typeof shells)[number]) =>
      context.print(completionScript(name, await wordsOf(context, commands))),
    );
}

/** Every command with its options, from their own modules. */
async function wordsOf(
  context: CommandContext,
  commands: Parameters<typeof registerCompletion>[2],
): Promise<readonly CompletionWords[]> {
  const program = new Command();
  for (const { load } of commands) (await load())(program, context);
  return program.commands.flatMap((command) => [
    { path: [], next: [command.name()] },
    ...below(command, [command.name()]),
  ]);
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
