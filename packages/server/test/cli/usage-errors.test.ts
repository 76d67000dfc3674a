import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readVersion } from '../../src/version.ts';
import { type Desk, openDesk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const create = ['apps', 'create', 'candidate'];
const issue = ['keys', 'issue', '--app', 'search', '--email'];
const bind = ['projects', 'bind', 'search', 'sandbox'];

describe('a wrong value is reported in one line, and nothing is changed', () => {
  test.each([
    [[...create, '--daily-budget-usd', '-5'], /^--daily-budget-usd must be a decimal amount in /],
    [[...create, '--daily-budget-usd', 'NaN'], /a decimal amount in USD, .*; it is "NaN"/],
    [[...create, '--daily-budget-usd', 'Infinity'], /; it is "Infinity"/],
    [[...create, '--daily-budget-usd', '1e30'], /; it is "1e30"/],
    [[...create, '--daily-budget-usd', '0x10'], /; it is "0x10"/],
    [[...create, '--daily-budget-usd', '1,5'], /; it is "1,5"/],
    [[...create, '--daily-budget-usd', ''], /^--daily-budget-usd must be .*; it is ""/],
    [
      [...create, '--daily-budget-usd', '0.0000000000001'],
      /^--daily-budget-usd must have at most 12 decimals .*; it is "0.0000000000001"/,
    ],
    [[...create, '--daily-budget-usd', '9999999999'], /and be at most .*; it is "9999999999"/],
    [[...create, '--models', ''], /^--models\[0\] must not be empty/],
    [[...create, '--models', 'a,,b'], /^--models\[1\] must not be empty/],
    [[...create, '--models', 'a,'], /^--models\[1\] must not be empty/],
    [[...create, '--models', 'a,a'], /^--models must not contain the same value twice/],
    [[...create, '--models', 'm'.repeat(129)], /^--models\[0\] takes at most 128 characters/],
    [[...create, '--monthly-credits', '5'], /^credits require both/],
    [[...create, '--usd-per-credit', '0.01'], /^credits require both/],
    [
      [...create, '--monthly-credits', '-5', '--usd-per-credit', '0.01'],
      /^--monthly-credits must be a decimal amount/,
    ],
    [
      [...create, '--monthly-credits', '5', '--usd-per-credit', '0.03'],
      /^--usd-per-credit: "0.03" does not divide into exact decimal credits; /,
    ],
    [
      [...create, '--monthly-credits', '5', '--usd-per-credit', '0'],
      /^--usd-per-credit: a credit must be worth more than 0/,
    ],
    [
      [...create, '--monthly-credits', '99999999999', '--usd-per-credit', '1'],
      /^--monthly-credits: must be at most [\d.]+ USD; it is "99999999999"/,
    ],
    [
      [...create, '--monthly-credits', 'none', '--usd-per-credit', '1'],
      /^--usd-per-credit cannot be combined with --monthly-credits none/,
    ],
    [['apps', 'create', 'Search'], /^name must be the name of an app: .*; it is "Search"/],
    [['apps', 'create', 'a'.repeat(64)], /^name must be the name of an app/],
    [['apps', 'create', ''], /^name must be the name of an app: .*; it is ""/],
    [['apps', 'update', 'search'], /^nothing to change; set at least one setting/],
    [[...issue, 'nobody'], /^"nobody" is not a valid email address; /],
    [[...issue, 'a::b@c'], /is not a valid email address/],
    [['usage', '--day', '2026-02-30'], /^--day must be a UTC day such as .*; it is "2026-02-30"$/],
    [
      ['usage', '--day', 'tomorrow'],
      /^--day must be a UTC day such as .*, or today or yesterday; it is "tomorrow"$/,
    ],
    [['usage', 'search', '--day', '2026-1-1'], /must be a UTC day/],
    [[...bind, ''], /^id must not be empty/],
    [[...bind, 'proj 1'], /is not a valid project id/],
    [[...bind, 'prøj'], /is not a valid project id/],
    [
      ['simulator', '--port', '65536'],
      /^--port: must be a whole number from 0 to 65535; it is "65536"/,
    ],
    [['simulator', '--port', '-1'], /must be a whole number from 0 to 65535/],
  ])('%j', async (commandLine, sentence) => {
    const result = await desk.run([...commandLine, '--json', '--config', desk.file]);
    expect(result).toMatchObject({ code: 2, out: [] });
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]).toMatch(sentence);
    expect(result.errors[0]).not.toContain('\n');
  });

  test('none of them created an app', async () => {
    const apps = await desk.records(['apps', 'list']);
    expect(apps.map(({ name }) => name)).toEqual(['search', 'tutor']);
  });
});

describe('a wrong command line has exit code 2 and nothing on standard output', () => {
  test.each([
    [['serv'], /unknown command 'serv'/],
    [['apps', 'remove', 'x'], /unknown command 'remove'/],
    [['apps', 'create'], /missing required argument 'name'/],
    [['apps', 'create', 'a', 'b'], /too many arguments/],
    [['apps', 'create', 'x', '--budget', '5'], /unknown option '--budget'/],
    [['apps', 'create', 'x', '--models'], /argument missing/],
    [['keys', 'issue', '--app', 'search'], /required option '--email <address>' not specified/],
    [['keys', 'import', '--name', 'n'], /required option '--customer-id <id>' not specified/],
    [['keys', 'disable'], /missing required argument 'id'/],
    [['calls', 'show'], /missing required argument 'id'/],
    [['projects', 'bind', 'search', 'sandbox'], /missing required argument 'id'/],
    [['audit', 'everything'], /too many arguments/],
    [['apps'], /Usage: model-gateway apps/],
    [[], /Usage: model-gateway/],
  ])('%j', async (commandLine, sentence) => {
    const result = await desk.run(commandLine);
    expect(result).toMatchObject({ code: 2, out: [] });
    expect(result.errors.join('\n')).toMatch(sentence);
  });
});

test('help and version are not errors, and go to standard output', async () => {
  const help = await desk.run(['--help']);
  expect(help).toMatchObject({ code: 0, errors: [] });
  for (const command of ['serve', 'demo', 'apps', 'keys', 'usage', 'audit', 'simulator']) {
    expect(help.out.join('\n')).toContain(`  ${command}`);
  }
  expect(await desk.run(['apps', 'create', '--help'])).toMatchObject({ code: 0, errors: [] });
  expect((await desk.run(['--version'])).out).toEqual([readVersion()]);
});

test('an unusable configuration has exit code 2, one line a problem', async () => {
  const missing = await desk.run(['apps', 'list', '--config', join(desk.folder, 'none.yaml')]);
  expect(missing).toMatchObject({ code: 2, out: [] });
  expect(missing.errors.join()).toMatch(/the file does not exist; use --config FILE/);
  const bad = join(desk.folder, 'bad.yaml');
  await writeFile(bad, 'company: acme\nplatforms: { a: { kind: nothing } }\nlimitz: {}\n');
  const wrong = await desk.run(['audit', '--config', bad]);
  expect(wrong).toMatchObject({ code: 2, out: [] });
  expect(wrong.errors.join('\n').split('\n').sort()).toEqual([
    expect.stringMatching(/^limitz: is an unknown key; did you mean "limits"\? The keys are /),
    expect.stringMatching(/^platforms\.a\.kind: must be one of simulator, .*; it is "nothing"/),
  ]);
});

test('a store that cannot be opened has exit code 1 and one line', async () => {
  const file = join(desk.folder, 'blocked.yaml');
  const store = 'store: sqlite:./gateway.yaml/gateway.db';
  await writeFile(file, `company: acme\nplatforms: { a: { kind: simulator } }\n${store}\n`);
  const result = await desk.run(['audit', '--config', file]);
  expect(result).toMatchObject({ code: 1, out: [] });
  expect(result.errors.join('\n')).toMatch(/^[^\n]*gateway\.yaml[^\n]*$/);
});
