import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import type { CommandContext, CommonOptions } from './process/context.ts';
import { withSharedOptions } from './process/shared-options.ts';

/** Shells run this at every start, so the words come from a file, not from all modules. */
export function registerCompletion(program: Command, context: CommandContext): void {
  const command = program
    .command('completion')
    .description('print a completion script: bash, zsh, fish');
  withSharedOptions(command)
    .addArgument(new Argument('<shell>', 'shell: bash, zsh or fish').choices(shells))
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

const shells = ['bash', 'zsh', 'fish'] as const;

export interface CompletionWords {
  readonly path: readonly string[];
  readonly next: readonly string[];
}

/** The script contains all words, so completion starts no process. */
function completionScript(
  shell: (typeof shells)[number],
  words: readonly CompletionWords[],
): string {
  const byPath = Map.groupBy(words, ({ path }) => path.join(' '));
  const next = [...byPath].map(([path, words]): readonly [string, readonly string[]] => [
    path,
    words.flatMap((one) => one.next),
  ]);
  if (shell === 'bash') return bash(next);
  return shell === 'zsh' ? zsh(next) : fish(next);
}

type Next = readonly (readonly [path: string, words: readonly string[]])[];

function cases(next: Next, line: (words: string) => string): string {
  return next.map(([path, words]) => `    "${path}") ${line(words.join(' '))} ;;`).join('\n');
}

function bash(next: Next): string {
  return `# model-gateway: put this into ~/.bashrc:  eval "$(npx model-gateway completion bash)"
_model_gateway() {
  local said="" word list=""
${followed(next, {
  spoken: `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`,
  list: (words) => `list="${words}"`,
})}
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _model_gateway model-gateway`;
}

function followed(
  next: Next,
  shell: { readonly spoken: string; readonly list: (words: string) => string },
): string {
  return `  for word in ${shell.spoken}; do
    [[ $word == -* ]] && continue
    case "$said $word" in
${paths(next)}
    esac
  done
  case "$said" in
${cases(next, shell.list)}
  esac`;
}

/** The path contains only words with subcommands, not names of apps or files. */
function paths(next: Next): string {
  const known = next.filter(([path]) => path !== '').map(([path]) => path);
  const shown = known.map((path) => `"${path.includes(' ') ? path : ` ${path}`}"`).join(' | ');
  return `      ${shown}) said="\${said:+$said }$word" ;;`;
}

function zsh(next: Next): string {
  return `#compdef model-gateway
# model-gateway: put this into ~/.zshrc:  eval "$(npx model-gateway completion zsh)"
_model_gateway() {
  local said="" word
  local -a list
${followed(next, {
  spoken: `"\${(@)words[2,CURRENT-1]}"`,
  list: (words) => `list=(${words})`,
})}
  compadd -- $list
}
compdef _model_gateway model-gateway`;
}

function fish(next: Next): string {
  const lines = next.flatMap(([path, words]) => {
    const condition = conditionOf(path, words);
    return words.map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c model-gateway -n '${condition}' ${what}`;
    });
  });
  return ['# model-gateway: npx model-gateway completion fish | source', ...lines].join('\n');
}

function conditionOf(path: string, words: readonly string[]): string {
  if (path === '') return '__fish_use_subcommand';
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const inner = words.filter((word) => !word.startsWith('--'));
  const not = inner.length === 0 ? [] : [`not __fish_seen_subcommand_from ${inner.join(' ')}`];
  return [...seen, ...not].join('; and ');
}
