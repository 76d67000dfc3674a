/** One command of a document, and its line. */
export interface Command {
  readonly text: string;
  readonly line: number;
}

/** A block of commands, and their documented output; '' without one. */
export interface Step {
  readonly heading: string;
  readonly commands: readonly Command[];
  readonly shown: string;
}

/**
 * The steps of a document, in its order: each block of `sh` with the next block of `text`, if no
 * other block or heading is between them.
 */
export function stepsOf(markdown: string): readonly Step[] {
  const steps: { heading: string; commands: readonly Command[]; shown: string }[] = [];
  let heading = '';
  let open: typeof steps = [];
  const pieces = markdown.matchAll(
    /^## (?<heading>[^\n]*)$|^```(?<language>\w*)\n(?<code>.*?)^```$/gms,
  );
  for (const { index, groups } of pieces) {
    const { language, code = '' } = groups ?? {};
    const [last] = open;
    open = [];
    if (language === undefined) heading = groups?.heading ?? '';
    if (language === 'text' && last !== undefined) last.shown = code;
    if (language !== 'sh') continue;
    const line = markdown.slice(0, index).split('\n').length + 1;
    const step = { heading, commands: commandsOf(code, line), shown: '' };
    steps.push(step);
    open = [step];
  }
  return steps;
}

/** A command is a line with its continuation: after a backslash, or up to a mark. */
function commandsOf(code: string, firstLine: number): readonly Command[] {
  const commands: Command[] = [];
  const lines = code.trimEnd().split('\n');
  for (let at = 0; at < lines.length; at++) {
    const from = at;
    const mark = /<<'(\w+)'/.exec(lines[at] ?? '')?.[1];
    if (mark !== undefined) at = lines.indexOf(mark, at);
    if (at < from) throw new Error(`line ${firstLine + from}: ${mark} is missing`);
    while (/\\$/.test(lines[at] ?? '')) at += 1;
    commands.push({ text: lines.slice(from, at + 1).join('\n'), line: firstLine + from });
  }
  return commands;
}

/**
 * Whether the output matches the documented one. There `…` matches anything within a line, and on
 * its own line any lines. The number of blanks between two words is not compared.
 */
export function isAsShown(shown: string, printed: string): boolean {
  const pattern = linesOf(shown)
    .map((line) => (line === '…' ? '[^]*' : patternOf(line)))
    .join('\n');
  return new RegExp(`^${pattern}$`).test(linesOf(printed).join('\n'));
}

function patternOf(line: string): string {
  const parts = line.split('…');
  return parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('[^\\n]*');
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim());
  return lines.filter((line) => line !== '');
}
