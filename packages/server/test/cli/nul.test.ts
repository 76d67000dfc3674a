import { execPath } from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { start } from '../../../../harness/process.ts';
import { startPostgres } from '../support/postgres.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { deskYaml, openDesk } from './support/desk.ts';

const nul = 'a\0b';
const usd = ['--monthly-usd', '5'];

/** Each has an argument that reaches the store. */
const commandLines = [
  ['apps', 'create', nul],
  ['apps', 'update', 'search', '--tag', `team=${nul}`],
  ['apps', 'disable', nul],
  ['keys', 'issue', 'search', nul],
  ['keys', 'issue', 'search', 'ada@acme.example', '--note', nul],
  ['keys', 'import', '--name', nul, '--customer', 'search'],
  ['keys', 'disable', nul],
  ['budgets', 'set', nul, '--apps', 'search', ...usd],
  ['wallets', 'show', 'tutor', nul],
  ['users', 'erase', 'tutor', nul, '--yes'],
  ['calls', 'show', nul],
  ['calls', 'list', '--user', nul],
  ['log', 'list', '--subject', nul],
  ['runs', 'show', nul],
];

describe.each(storeKinds)('U+0000 in an argument of a command on %s', (kind) => {
  test('is one message, and not a failure of the store', async () => {
    const postgres = kind === 'postgres' ? await startPostgres() : undefined;
    const url = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    const yaml = deskYaml.replace('sqlite:./gateway.db', JSON.stringify(url));
    const desk = await openDesk({ yaml });
    onTestFinished(async () => {
      await desk.close();
      await postgres?.close();
    });
    const taken: string[] = [];
    for (const line of commandLines) {
      const { code, errors } = await desk.run([...line, '--config', desk.file]);
      const said = errors.join(' ');
      if (code === 0 || /encoding|internal|sequence/i.test(said)) taken.push(`${line}: ${said}`);
    }
    expect(taken).toEqual([]);
  });
});

test('no process gets such an argument: the system truncates it there', () => {
  expect(() => start(execPath, ['--version', nul])).toThrow('without null bytes');
});
