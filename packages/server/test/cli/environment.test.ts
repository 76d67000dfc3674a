import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentKeys, readEnvironment } from '../../src/cli/process/environment.ts';
import { type Desk, openDesk } from './support/desk.ts';

const server = fileURLToPath(new URL('../../', import.meta.url));
const root = join(server, '../..');

const names = Object.keys(environmentKeys);
/** Read with the file, or with the file that they name. */
const mounted = ['MODEL_GATEWAY_STORE', 'MODEL_GATEWAY_KEYS', 'AWS_BEARER_TOKEN_BEDROCK'];

/** A wrong value of each variable, and the problem that a command reports. */
const wrong: Readonly<Record<string, readonly [string, string]>> = {
  MODEL_GATEWAY_CONFIG: ['/nowhere/at-all.yaml', '/nowhere/at-all.yaml: the file does not exist; '],
  MODEL_GATEWAY_CONFIG_TEXT: ['company: [acme', 'line 1, column '],
  MODEL_GATEWAY_STORE: ['nothing', 'MODEL_GATEWAY_STORE: '],
  MODEL_GATEWAY_KEYS: ['nothing', 'MODEL_GATEWAY_KEYS: '],
  MODEL_GATEWAY_ACTOR: ['a b', 'MODEL_GATEWAY_ACTOR: must be a name of 1–128 '],
  MODEL_GATEWAY_MISSING_APPS: [
    'drop',
    'MODEL_GATEWAY_MISSING_APPS: must be one of refuse, keep, disable; it is "drop"',
  ],
  MODEL_GATEWAY_LOG: [
    'verbose',
    'MODEL_GATEWAY_LOG: must be one of debug, info, warn, error, silent; it is "verbose"',
  ],
  MODEL_GATEWAY_LOG_FORMAT: [
    'pretty',
    'MODEL_GATEWAY_LOG_FORMAT: must be one of json, text; it is "pretty"',
  ],
  PORT: ['eighty', 'PORT: must be a whole number from 0 to 65535; it is "eighty"'],
};

const environment: Record<string, string> = {};
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ environment });
});
afterAll(() => desk.close());

/** Runs a command with these variables. The file is missing where a variable replaces it. */
async function runWith(variables: Readonly<Record<string, string>>, words: readonly string[]) {
  const isPlace = Object.keys(variables).some((name) => name.startsWith('MODEL_GATEWAY_CONFIG'));
  Object.assign(environment, variables);
  const result = await desk.run(isPlace ? words : [...words, '--config', desk.file]);
  for (const name of Object.keys(variables)) delete environment[name];
  return result;
}

/** Checked with the file. */
const withFile = ['MODEL_GATEWAY_CONFIG_TEXT', 'MODEL_GATEWAY_STORE', 'MODEL_GATEWAY_KEYS'];
/** All but the variable whose check depends on the file. */
const checked = names.filter((name) => name !== 'AWS_BEARER_TOKEN_BEDROCK');

describe.each(checked)('a wrong %s', (name) => {
  const [value = '', line = ''] = wrong[name] ?? [];
  test.each([['serve'], ['keys', 'list'], ['config', 'check']])('ends %s %s', async (...words) => {
    const { code, out, errors } = await runWith({ [name]: value }, words);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    const lines = errors.join('\n').split('\n');
    expect(lines[0]?.startsWith(line), lines[0]).toBe(true);
    // A problem that is found with the file is followed by the file's name.
    const hasPlace = words[0] === 'config' && withFile.includes(name);
    expect(lines.slice(1)).toEqual(hasPlace ? [expect.stringMatching(/^in /)] : []);
  });
});

test('each wrong variable is one line, before those of the file', async () => {
  const variables = Object.fromEntries(
    ['PORT', 'MODEL_GATEWAY_LOG_FORMAT', 'MODEL_GATEWAY_LOG', 'MODEL_GATEWAY_KEYS'].map((name) => [
      name,
      wrong[name]?.[0] ?? '',
    ]),
  );
  const { errors } = await runWith(variables, ['serve']);
  expect(errors.join('\n').split('\n')).toEqual([
    wrong.MODEL_GATEWAY_LOG?.[1],
    wrong.MODEL_GATEWAY_LOG_FORMAT?.[1],
    wrong.PORT?.[1],
    expect.stringMatching(/^MODEL_GATEWAY_KEYS: /),
  ]);
});

test('init writes no file if a variable is wrong', async () => {
  Object.assign(environment, { MODEL_GATEWAY_LOG: 'verbose' });
  const { code, errors } = await desk.run(['init', '--config', join(desk.folder, 'new.yaml')]);
  delete environment.MODEL_GATEWAY_LOG;
  expect({ code, errors }).toEqual({ code: 2, errors: [wrong.MODEL_GATEWAY_LOG?.[1]] });
  expect(readdirSync(desk.folder)).not.toContain('new.yaml');
});

test('a value with a line break is shown in one line', () => {
  expect(() => readEnvironment({ MODEL_GATEWAY_LOG: 'info\r\n' })).toThrow(
    'MODEL_GATEWAY_LOG: contains a line break or another control character',
  );
});

test('an empty variable counts as missing, and a variable of another program is ignored', () => {
  const empty = names.filter((name) => name !== 'MODEL_GATEWAY_ACTOR').map((name) => [name, '']);
  const others = { MODEL_GATEWAY_URL: 'x', MODEL_GATEWAY_LOG_FORMATT: 'x' };
  expect(readEnvironment({ ...Object.fromEntries(empty), ...others })).toEqual({});
});

describe('docs/configuration.md', () => {
  const section = /\n## Environment\n(.*?)\n## /s.exec(
    readFileSync(join(root, 'docs/configuration.md'), 'utf8'),
  )?.[1];
  const rows = (section ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const shown = rows.flatMap((row) => row.split(' | ')[0]?.match(/[A-Z][A-Z_]+/g) ?? []);

  test('has a row for each variable', () => {
    const files = mounted.map((name) => `${name}_FILE`);
    const proxies = ['ALL_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
    expect(shown.toSorted()).toEqual([...names, ...files, ...proxies].toSorted());
  });

  test('names the possible words of a variable', () => {
    for (const [value, line] of Object.values(wrong)) {
      const [name = '', words] = line.replace(`; it is "${value}"`, '').split(': must be one of ');
      const row = rows.find((each) => each.startsWith(`| \`${name}\``));
      for (const word of words?.split(', ') ?? []) expect(row).toContain(`\`${word}\``);
    }
  });

  test('has every variable that the sources name', () => {
    const files = readdirSync(join(server, 'src'), { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(server, 'src', file), 'utf8'));
    const named = texts.flatMap((text) => text.match(/\bMODEL_GATEWAY_[A-Z_]*[A-Z]/g) ?? []);
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(shown).toContain(name);
  });
});
