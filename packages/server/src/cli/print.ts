import { printable } from '../operations/text-lines.ts';
import type { CommandContext, CommonOptions } from './context.ts';

/** Prints a command's document: as it is with `--json`, else as lines to read. */
export function printDocument<Document>(
  context: CommandContext,
  options: CommonOptions,
  document: Document,
  lines: (document: Document) => readonly string[],
) {
  if (options.json === true) context.print(JSON.stringify(document));
  else for (const line of lines(document)) context.print(printable(line));
}
