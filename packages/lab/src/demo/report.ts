export interface DemoReport {
  readonly ok: boolean;
  readonly steps: readonly StepReport[];
}

export interface StepReport {
  readonly group: string;
  readonly id: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly says: string;
  readonly ok: boolean;
}

const widthMax = 96;
const indent = '      ';

export function reportLines({ ok, steps }: DemoReport): readonly string[] {
  const titles = [...new Set(steps.map(({ group }) => group))];
  return [
    'The whole gateway in this process, called through its client: a temporary store, a simulated',
    'platform, no real money. Each step shows the status, the code and the message to the caller.',
    ...titles.flatMap((title) => [
      '',
      title,
      ...steps.filter(({ group }) => group === title).flatMap(stepLines),
    ]),
    '',
    ok
      ? `All ${steps.length} steps passed. Next: npx model-gateway serve`
      : 'Steps marked with "!" failed.',
  ];
}

function stepLines({ ok, title, status, code, says }: StepReport): readonly string[] {
  return [
    `${ok ? ' ' : '!'} ${title}`,
    ...wrapped(`${status} ${code}: ${says}`).map((line) => `${indent}${line}`),
  ];
}

function wrapped(sentence: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sentence.split(' ')) {
    const isFull = line !== '' && indent.length + line.length + 1 + word.length > widthMax;
    if (isFull) lines.push(line);
    line = isFull || line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
