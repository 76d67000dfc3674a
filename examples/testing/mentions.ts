import type { Command } from '../../packages/server/test/cli/support/command-tree.ts';

/** The words of a command in a text, from its first word on. */
interface Mention {
  readonly words: readonly string[];
  /** It follows `model-gateway`, so it is certainly a command. */
  readonly isCertain: boolean;
}

/** The commands and options in a text that the program lacks, each with its fault. */
export function unknownMentions(program: Command, text: string): readonly string[] {
  return mentionsIn(text).flatMap(({ words, isCertain }) => {
    const fault = faultOf(program, words, isCertain);
    return fault === undefined ? [] : [`${words.join(' ')}: ${fault}`];
  });
}

/**
 * The same for a text of the program itself, in which an option needs no quotes. It belongs to the
 * last command of its clause, or without a command, to any.
 */
export function unknownInSentence(program: Command, text: string): readonly string[] {
  const names = program.commands.flatMap((one) => one.commands.map((sub) => [one, sub] as const));
  return text.split(/[;"`()\n]|[.:] /).flatMap((clause) =>
    [...clause.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].flatMap(({ index, 0: option }) => {
      const before = clause.slice(0, index);
      const [named] = names
        .map(([one, sub]) => ({ sub, at: before.lastIndexOf(`${one.name()} ${sub.name()} `) }))
        .filter(({ at }) => at >= 0)
        .toSorted((a, b) => b.at - a.at);
      const commands = named === undefined ? [program, ...below(program)] : [program, named.sub];
      const fault = unknownOption(commands, [option]);
      return fault === undefined ? [] : [`${clause.trim()}: ${fault}`];
    }),
  );
}

/** The words after `model-gateway`, and the words in quotes or backticks, each within its line. */
function mentionsIn(text: string): readonly Mention[] {
  const certain = text.matchAll(/(?<=^|npx |run |["'`]|\$ )model-gateway ([^`"'\n;&#)<]+)/gm);
  const quoted = text.matchAll(/[`"]((?:--)?[a-z][^`"\n]*)[`"]/g);
  return [
    ...[...certain].map(([, words = '']) => ({ words: wordsOf(words), isCertain: true })),
    ...[...quoted].map(([, words = '']) => ({ words: wordsOf(words), isCertain: false })),
  ];
}

function wordsOf(text: string): readonly string[] {
  const words = text.split(/[\s|=,[\]()\\]+/).map((word) => word.replace(/[.:;?…]+$/, ''));
  return words.filter((word) => word !== '' && word !== '--json' && word !== 'model-gateway');
}

function faultOf(
  program: Command,
  words: readonly string[],
  isCertain: boolean,
): string | undefined {
  const { path, command } = follow(program, words);
  const next = words[path.length] ?? '';
  if (path.length === 0) {
    if (next.startsWith('--'))
      return unknownOption([program, ...below(program)], words.slice(0, 1));
    return isCertain && /^[a-z]/.test(next) ? 'no such command' : undefined;
  }
  if (command.commands.length > 0) {
    return isCertain || /^[a-z-]+$/.test(next) ? `no such command of ${path.join(' ')}` : undefined;
  }
  return unknownOption([program, command], words);
}

/** The innermost command that the words lead to. */
function follow(program: Command, words: readonly string[]) {
  const path: Command[] = [];
  for (const word of words) {
    const inner = (path.at(-1) ?? program).commands.find((one) => one.name() === word);
    if (inner === undefined) break;
    path.push(inner);
  }
  return { path: path.map((one) => one.name()), command: path.at(-1) ?? program };
}

function below(command: Command): readonly Command[] {
  return command.commands.flatMap((inner) => [inner, ...below(inner)]);
}

function unknownOption(commands: readonly Command[], words: readonly string[]): string | undefined {
  const options = commands.flatMap(({ options }) => options.map(({ long }) => long));
  const named = words.filter((word) => /^--[a-z]/.test(word));
  const unknown = named.filter((word) => ![...options, '--help'].includes(word));
  return unknown.length === 0 ? undefined : `no option ${unknown.join(', ')}`;
}
