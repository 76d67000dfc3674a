import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../../harness/process.ts';
import { wordsOfCommands } from '../../src/cli/completion-words.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { type Desk, openDesk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const script = async (shell: string) => (await desk.run(['completion', shell])).out.join('\n');

describe('in bash', () => {
  test.each([
    [['ap'], ['apps']],
    [['apps', 'cr'], ['create']],
    [['apps', 'create', 'helpdesk', '--daily'], ['--daily-budget-usd']],
    [['--json', 'keys', 'iss'], ['issue']],
    [['platforms', 'check', 'openai', '--ca'], ['--call']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', '--config', '--json', '--help'],
    ],
    [['nothing', 'xyz'], []],
  ])('%j is completed', async (words, expected) => {
    const line = ['model-gateway', ...words].map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _model_gateway; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const stdout = await run('bash', ['-c', `${await script('bash')}\n${ask}`]);
    expect(stdout.split('\n').filter((word) => word !== '')).toEqual(expected);
  });
});

test('zsh and fish get every command and option, too', async () => {
  const [zsh, fish] = [await script('zsh'), await script('fish')];
  expect(zsh).toMatch(/"apps create"\) list=\(.*--daily-budget-usd/);
  expect(zsh).toContain('compdef _model_gateway model-gateway');
  expect(fish).toContain("-n '__fish_use_subcommand' -a serve");
  expect(fish).toContain(
    "-n '__fish_seen_subcommand_from apps; and __fish_seen_subcommand_from create' -l daily-budget-usd",
  );
});

test.each(['bash', 'zsh', 'fish'])('the script of %s is a document with --json', async (shell) => {
  expect(await desk.json(['completion', shell])).toEqual({ script: await script(shell) });
});

test("the words are the commands' own: npx node scripts/write-completion.ts", async () => {
  const file = new URL('../../src/cli/completion-words.json', import.meta.url);
  const words = await wordsOfCommands({
    clock: systemClock,
    ids: createIds(systemClock),
    environment: {},
    print: () => undefined,
    warn: () => undefined,
    readStandardInput: async () => '',
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(words);
});

test('another shell is rejected with the list of shells', async () => {
  const refused = await desk.run(['completion', 'tcsh']);
  expect(refused.code).toBe(2);
  expect(refused.errors.join('\n')).toMatch(/Allowed choices are bash, zsh, fish/);
});
