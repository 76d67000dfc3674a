import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { type CompletionWords, completionScript, shells } from './completion-script.ts';
import type { CommandContext, CommonOptions } from './process/context.ts';
import { withSharedOptions } from './process/shared-options.ts';

/** Shells ask at every start: words come from a file, not from all modules. */
export function registerCompletion(program: Command, context: CommandContext): void {
  const command = program
    .command('completion')
    .description('print a completion script: bash, zsh, fish');
  withSharedOptions(command)
    .addArgument(new Argument('<shell>', 'the shell that is to complete').choices(shells))
    .action((name: (typeof shells)[number], _options: unknown, inner: Command) => {
      const script = completionScript(name, readWords());
      const { json } = inner.optsWithGlobals<CommonOptions>();
      context.print(json === true ? JSON.stringify({ script }) : script);
    });
}

/** `scripts/write-completion.ts` writes the file, and a test compares it. */
function readWords(): readonly CompletionWords[] {
  const file = new URL('./completion-words.json', import.meta.url);
  const words: readonly CompletionWords[] = JSON.parse(readFileSync(file, 'utf8'));
  return words;
}
