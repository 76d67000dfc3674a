import { programOfAll } from '../../packages/server/src/cli/completion-words.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createIds } from '../../packages/server/src/lib/id.ts';

// The tables of docs/cli.md. `<!-- commands: keys tokens -->` begins one, `<!-- end -->` ends it.

const table = /(<!-- commands: ([a-z ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The document with its current tables. Throws for a command that appears in none or several. */
export async function withCommandTables(document: string): Promise<string> {
  const program = await programOfAll({
    ...{ clock: systemClock, ids: createIds(systemClock), environment: {} },
    ...{ print: () => undefined, warn: () => undefined, readStandardInput: async () => '' },
  });
  const listed = [...document.matchAll(table)].flatMap(([, , names = '']) => names.split(' '));
  const names = program.commands.map((command) => command.name());
  if (listed.toSorted().join() !== names.toSorted().join()) {
    throw new Error(`docs/cli.md lists ${listed.join(', ')}; the commands are ${names.join(', ')}`);
  }
  return document.replaceAll(table, (_whole, begin: string, group: string, end: string) => {
    const rows = group
      .split(' ')
      .flatMap((name) => program.commands.filter((command) => command.name() === name))
      .flatMap((command) => rowsOf(command, command.name()));
    return `${begin}\n| command | what it does |\n|---|---|\n${rows.join('\n')}\n\n${end}`;
  });
}

type Command = Awaited<ReturnType<typeof programOfAll>>;

function rowsOf(command: Command, path: string): readonly string[] {
  const { commands: inner } = command;
  if (inner.length > 0) return inner.flatMap((one) => rowsOf(one, `${path} ${one.name()}`));
  const words = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const own = command.options.filter(({ hidden, long }) => !hidden && !common.has(long ?? ''));
  const required = own.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const usage = [path, ...words, ...required].join(' ');
  const text = [`${command.description()}.`, ...own.map(optionText)].join('<br>');
  return [`| \`${usage}\` | ${text.replaceAll('|', '\\|')} |`];
}

/** Options that the text above the tables explains. */
const common = new Set(['--config', '--json', '--reason', '--yes', '--dry-run']);

function optionText({ flags, description, defaultValue }: Command['options'][number]): string {
  const initial = defaultValue === undefined ? '' : ` (${String(defaultValue)})`;
  return `\`${flags}\`: ${description}${initial}`;
}
