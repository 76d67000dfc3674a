import { Command, CommanderError, Help } from 'commander';
import { readVersion } from '../version.ts';
import { commands } from './commands.ts';
import type { CommandContext } from './process/context.ts';
import { withSharedOptions } from './process/shared-options.ts';

const exitCodes = { done: 0, refused: 1, away: 1, usage: 2 } as const;

export async function runCommand(
  commandLine: readonly string[],
  context: CommandContext,
): Promise<number> {
  const program = await createProgram(commandLine, context);
  try {
    await program.parseAsync([...commandLine], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const { failureOf } = await import('./report-failure.ts');
    const { message, kind } = failureOf(error);
    context.warn(message);
    return exitCodes[kind];
  }
}

/** Loads only the requested command; the others have just a name and a sentence. */
async function createProgram(
  commandLine: readonly string[],
  context: CommandContext,
): Promise<Command> {
  const program = createRoot(context);
  const requested = commandNameIn(commandLine);
  for (const { name, description, load } of commands) {
    if (name === requested) (await load())(program, context);
    else program.command(name).description(description);
  }
  withUsageAfterErrors(program, program.name());
  return withSharedOptions(program);
}

function createRoot(context: CommandContext): Command {
  const program = new Command('model-gateway');
  const help = new Help();
  return (
    program
      .description('LLM gateway with exact budgets')
      .version(readVersion())
      .exitOverride()
      .configureOutput({
        writeOut: (text) => context.print(text.trimEnd()),
        writeErr: (text) => context.warn(text.trimEnd()),
        // All errors have one style: the fault, and the correction.
        outputError: (text, write) => write(text.replace(/^error: /, '')),
      })
      // A command's arguments are in its module, which is not loaded: this list has only names.
      .configureHelp({
        subcommandTerm: (command) =>
          command.parent === program ? command.name() : help.subcommandTerm(command),
      })
      .addHelpText('after', examples)
  );
}

const examples = `
Examples:
  model-gateway init
  model-gateway demo
  model-gateway serve --config /etc/gateway/gateway.yaml
  model-gateway keys issue --app search --email you@acme.example
  model-gateway usage search --json
  model-gateway apps create --help

Every command is in docs/cli.md, every key of the configuration in docs/configuration.md.`;

/** Skips options and their values. For `help apps` returns the second word. */
function commandNameIn(commandLine: readonly string[]): string | undefined {
  const words = commandLine.filter(
    (word, index) => !word.startsWith('-') && commandLine[index - 1] !== '--config',
  );
  return words[0] === 'help' ? words[1] : words[0];
}

function withUsageAfterErrors(command: Command, path: string): void {
  command.showHelpAfterError(`Usage: ${path} ${command.usage()}`);
  for (const inner of command.commands) withUsageAfterErrors(inner, `${path} ${inner.name()}`);
}
