import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleOf } from '../admin-api/support/console-of.ts';
import type { Desk } from '../cli/support/desk.ts';
import { openStackAndDesk } from '../cli/support/open-stack-and-desk.ts';
import { meetChat } from '../support/exchange.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

let stack: Stack;
let desk: Desk;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(defaultYaml));
  for (const model of ['sim-truncated', 'sim-echo']) await meetChat(stack, 'search', model);
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

async function issue(): Promise<string> {
  const words = ['keys', 'issue', '--app', 'search', '--email', 'ci@acme.example'];
  return String((await desk.record(words)).id);
}

interface Row {
  readonly old: readonly string[];
  readonly current: readonly string[];
  readonly warning: string;
  /** The stable fields of the document. */
  readonly shown: readonly string[];
  /** For a command that changes a key: the key's id is the last argument. */
  readonly ofKey?: boolean;
}

const rows: readonly Row[] = [
  {
    old: ['calls', 'list', '--dearest'],
    current: ['calls', 'list', '--order', 'cost'],
    warning: '--dearest is deprecated; use --order cost',
    shown: ['calls', 'unsearched'],
  },
  {
    old: ['console', 'login', '--as', 'grace'],
    current: ['console', 'login', '--name', 'grace'],
    warning: '--as is deprecated; use --name',
    shown: ['name', 'role', 'apps'],
  },
  {
    old: ['keys', 'rotate', '--grace', '2h'],
    current: ['keys', 'rotate', '--grace-period', '2h'],
    warning: '--grace is deprecated; use --grace-period',
    shown: ['oldEndsAt', 'customerId'],
    ofKey: true,
  },
];

test.each(rows)('$warning', async ({ old, current, warning, shown, ofKey }) => {
  const documentOf = async (words: readonly string[]) => {
    const all = [...words, ...(ofKey === true ? [await issue()] : []), '--json'];
    const { code, out, errors } = await desk.run([...all, '--config', desk.file]);
    const document = JSON.parse(out.join('\n'));
    return { code, errors, facts: shown.map((name) => document[name]) };
  };
  const now = await documentOf(current);
  expect(now).toMatchObject({ code: 0, errors: [] });
  expect(now.facts).not.toContain(undefined);
  expect(await documentOf(old)).toEqual({ ...now, errors: [warning] });
});

test.each([
  [['calls', 'list', '--dearest', '--order', 'newest'], '--dearest', '--order cost'],
  [['console', 'login', '--as', 'ada', '--name', 'grace'], '--as', '--name'],
  [
    ['keys', 'rotate', 'key_1', '--grace', '1h', '--grace-period', '2h'],
    '--grace',
    '--grace-period',
  ],
])('%j conflicts', async (words, old, current) => {
  const { code, errors } = await desk.run([...words, '--config', desk.file]);
  expect(code).toBe(2);
  expect(errors.at(-1)).toBe(`${old} conflicts with ${current}; remove the deprecated name`);
});

test('holds list is the same command as reservations list, without a warning', async () => {
  const [old, current] = await Promise.all(
    ['holds', 'reservations'].map((name) => desk.run([name, 'list', '--config', desk.file])),
  );
  expect(old).toEqual(current);
  expect(old).toEqual({ code: 0, out: ['No reservations: no call is running.'], errors: [] });
});

test('a request can still have dearest in place of order', async () => {
  const ask = consoleOf(stack)('finance');
  const { status, body } = await ask('GET /calls?order=cost');
  expect(status).toBe(200);
  expect(body.items.length).toBeGreaterThan(1);
  expect(body).toHaveProperty('unsearched');
  expect((await ask('GET /calls?dearest=true')).body).toEqual(body);
  expect((await ask('GET /calls?dearest=false')).body).toHaveProperty('after');
  expect((await ask('GET /calls?dearest=true&order=newest')).status).toBe(400);
});
