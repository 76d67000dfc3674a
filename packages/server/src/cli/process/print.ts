import { printable } from '../../operations/description/text-lines.ts';
import type { CommandContext, CommonOptions } from './context.ts';

export function printDocument<Document>(
  context: CommandContext,
  options: CommonOptions,
  document: Document,
  lines: (document: Document) => readonly string[],
) {
  if (options.json === true) context.print(JSON.stringify(document));
  else for (const line of lines(document)) context.print(printable(line));
}

const progressMs = 1_000;

/** Prints at most once a second. */
export function createProgress({ clock, warn }: CommandContext): (what: string) => void {
  let nextMs = clock.monotonic() + progressMs;
  return (what) => {
    if (clock.monotonic() < nextMs) return;
    nextMs = clock.monotonic() + progressMs;
    warn(`reading ${what}`);
  };
}
