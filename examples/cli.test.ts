import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandContext } from '../packages/server/src/cli/process/context.ts';
import { runCommand } from '../packages/server/src/cli/program.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { codeBlocks, readRepositoryFile, tableRows } from './testing/markdown.ts';

const document = readRepositoryFile('docs/cli.md');
const readme = readRepositoryFile('README.md');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-cli-'));
  await writeFile(join(folder, 'gateway.yaml'), readRepositoryFile('gateway.yaml'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command as a shell would, on a store of this file. */
async function command(words: readonly string[]) {
  const lines: string[] = [];
  const warnings: string[] = [];
  const context: CommandContext = {
    clock: systemClock,
    ids: createIds(systemClock),
    environment: { MODEL_GATEWAY_CONFIG: join(folder, 'gateway.yaml') },
    print: (line) => void lines.push(line),
    warn: (line) => void warnings.push(line),
    readStandardInput: async () => '',
  };
  const exitCode = await runCommand(words, context);
  return { exitCode, output: lines.join('\n'), warnings };
}

/** The commands that a help text lists. */
function listed(help: string): readonly string[] {
  const [commands = ''] = (help.split('\nCommands:\n')[1] ?? '').split('\n\n');
  const names = [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name ?? '');
  return names.filter((name) => name !== 'help');
}

async function allCommands(): Promise<readonly string[]> {
  const commands: string[] = [];
  for (const name of listed((await command(['--help'])).output)) {
    const inner = listed((await command([name, '--help'])).output);
    commands.push(...(inner.length === 0 ? [name] : inner.map((sub) => `${name} ${sub}`)));
  }
  return commands;
}

test('docs/cli.md lists every command, and no other', async () => {
  const cells = tableRows(document).map(([cell]) => cell ?? '');
  const shown = cells.flatMap((cell) =>
    [...cell.matchAll(/`([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)].map(([, name]) => name ?? ''),
  );
  expect(shown.toSorted()).toEqual((await allCommands()).toSorted());
});

test('the commands of docs/cli.md and the README succeed', async () => {
  const typed = [...codeBlocks(document, 'sh').join('').split('\n'), ...inReadme()];
  const lines = typed.filter((line) => line.startsWith('npx model-gateway '));
  expect(lines.length).toBeGreaterThan(9);
  for (const line of lines) {
    const words = line.replace('npx model-gateway ', '').split(' ');
    const { exitCode, output, warnings } = await command(words);
    expect([line, exitCode, warnings]).toEqual([line, 0, []]);
    if (words.includes('--json')) expect(() => JSON.parse(output)).not.toThrow();
  }
});

/** Whole commands in the text: a capital word in a command is a placeholder. */
function inReadme(): readonly string[] {
  const codes = [...readme.matchAll(/`(npx model-gateway [^`]+)`/g)].map(([, code]) => code ?? '');
  return codes.filter((code) => !/ [A-Z]+\b/.test(code));
}
