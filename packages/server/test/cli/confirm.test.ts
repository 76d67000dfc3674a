import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { meetChat } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import { type Desk, documentOf, textOf } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
models:
  - { id: sim-unpriced, platform: sandbox, inputUsdPerMillion: "1", outputUsdPerMillion: "10" }
apps:
  - { name: search, dailyBudgetUsd: "5" }
`;
const december = Date.UTC(2026, 11, 3);

let stack: Stack;
let desk: Desk;
let callId: string;
beforeEach(async () => {
  const before = yaml.replace(/^models:\n.*\n/m, '');
  ({ stack, desk } = await openStackAndDesk(before, yaml));
  callId = (await meetChat(stack, 'search', 'sim-echo')).headers.get('x-call-id') ?? '';
  await meetChat(stack, 'search', 'sim-unpriced');
});
afterEach(async () => {
  expect(await stack.audit()).toMatchObject({ clean: true });
  await desk.close();
  await stack.close();
});

const dangerous = [
  { words: ['days', 'close', '--all'], shows: /^search +2026-11-21 +\$4\.99/ },
  { words: ['days', 'close', 'search', '--usd', '1'], shows: /^search +2026-11-21 +\$1$/ },
  {
    words: ['days', 'prune', '--before', '2026-12-01'],
    shows: /^Permanently deletes 2 records of calls/,
  },
  { words: ['projects', 'destroy'], shows: /^search +sandbox +proj_/ },
  {
    words: ['calls', 'reprice', '--model', 'sim-unpriced', '--since', '2026-11-21'],
    shows: /^calls +1$/,
  },
  {
    words: ['calls', 'correct', 'ID', '--usd', '4'],
    shows: /^Books \$4 for a call of search/,
  },
];

/** Everything that a command could change. */
async function books(): Promise<string> {
  const tables = ['call', 'budget_day', 'usage_day', 'project_binding', 'audit_log', 'app'];
  const rows = await Promise.all(
    tables.map((table) =>
      stack.store.read({ sql: `select * from ${table}`, values: [], map: (found) => found }),
    ),
  );
  return JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
}

describe.each(dangerous)('$words', ({ words, shows }) => {
  const command = () => words.map((word) => (word === 'ID' ? callId : word));
  const run = (more: readonly string[], ask?: (question: string) => Promise<string>) =>
    desk.run([...command(), ...more, '--config', desk.file], '', ask);
  beforeEach(() => {
    if (words.includes('prune')) stack.clock.set(december);
  });

  test('shows its effect without a terminal, and needs --yes', async () => {
    const before = await books();
    const { code, out, errors } = await run([]);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(errors.some((line) => shows.test(line))).toBe(true);
    expect(errors.at(-1)).toContain(
      'nothing was changed. There is no terminal for confirmation; add',
    );
    expect(await books()).toBe(before);
  });

  test('asks at a terminal, and does nothing unless the company is typed', async () => {
    const before = await books();
    for (const typed of ['', 'y', 'yes', 'Acme', 'acm']) {
      const { code, out, errors } = await run([], async (question) => {
        expect(question).toBe('Type the company name (acme) to continue: ');
        return typed;
      });
      expect({ code, out }).toEqual({ code: 1, out: [] });
      expect(errors.some((line) => shows.test(line))).toBe(true);
    }
    expect(await books()).toBe(before);
    expect((await run([], async () => 'acme ')).code).toBe(0);
    expect(await books()).not.toBe(before);
  });

  test('does not ask with --yes, and records the reason', async () => {
    const ask = () => Promise.reject(new Error('nobody is asked'));
    const reason = ['--reason', 'ticket 7: the bill of November'];
    expect((await run(['--yes', ...reason], ask)).code).toBe(0);
    const reasons = await stack.store.read({
      sql: 'select reason from audit_log where reason is not null',
      values: [],
      map: (rows) => rows.map((row) => row.reason),
    });
    expect(reasons.length).toBeGreaterThan(0);
    expect(new Set(reasons)).toEqual(new Set(['ticket 7: the bill of November']));
  });

  test('changes nothing in a dry run, and reports that', async () => {
    const before = await books();
    const { code, out, errors } = await run(['--dry-run', '--json']);
    expect(code).toBe(0);
    expect(documentOf({ code, out, errors })).toBeDefined();
    expect(errors.at(-1)).toBe('Dry run: nothing was changed.');
    expect(await books()).toBe(before);
  });
});

test('a dry run has the document of the command', async () => {
  const dry = async (...words: string[]) => desk.json([...words, '--dry-run']);
  expect(await dry('days', 'close', 'search', '--usd', '1')).toEqual([
    { app: 'search', day: '2026-11-21', callId: null, bookedUsd: '1' },
  ]);
  expect(await dry('projects', 'destroy')).toMatchObject({ forgotten: [{ app: 'search' }] });
  const reprice = ['calls', 'reprice', '--model', 'sim-unpriced', '--since', '2026-11-21'];
  const planned = await dry(...reprice);
  expect(planned).toMatchObject({ calls: 1, afterUsd: '0.000064' });
  expect(await desk.json([...reprice, '--yes'])).toEqual(planned);
  stack.clock.set(december);
  const prune = ['days', 'prune', '--before', '2026-12-01'];
  expect(await dry(...prune)).toEqual({
    prunedBefore: '2026-12-01',
    calls: 2,
    ...{ retainedBecause: null, keptFor: null },
  });
  expect(await desk.json([...prune, '--yes'])).toMatchObject({ calls: 2 });
});

test('a correction above ten times its reservation needs --force', async () => {
  const held = Number(textOf(await desk.record(['calls', 'show', callId]), 'heldUsd'));
  const correct = (usd: number, ...more: string[]) =>
    desk.run([
      ...['calls', 'correct', callId, '--usd', usd.toFixed(9)],
      ...[...more, '--config', desk.file],
    ]);
  expect((await correct(held * 9)).code).toBe(0);
  const tooMuch = await correct(4);
  expect(tooMuch.code).toBe(2);
  expect(tooMuch.errors.join('\n')).toContain(
    'This is more than 10 times either amount. Use --force to book it',
  );
  expect((await correct(4, '--force')).code).toBe(0);
});

test('a correction and a closing act once per reference, and report it', async () => {
  const correct = ['calls', 'correct', callId, '--reference', 'note-1', '--usd'];
  expect(await desk.json([...correct, '0.000007'])).toMatchObject({ costUsd: '0.000007' });
  const again = await desk.run([...correct, '0.0000070', '--config', desk.file]);
  const said = 'Nothing changed: this reference was already used for the same amount.';
  expect(again).toMatchObject({ code: 0, errors: [said] });
  const other = await desk.run([...correct, '0.000008', '--config', desk.file]);
  expect(other).toMatchObject({ code: 1, out: [] });
  expect(other.errors).toEqual([
    'nothing was changed: reference "note-1" was already used for $0.000007; use a new reference for a different amount',
  ]);
  const close = ['days', 'close', 'search', '--yes', '--reference', 'bill-1', '--usd'];
  const closed = await desk.json([...close, '0.5']);
  expect(await desk.json([...close, '0.5'])).toEqual(closed);
  expect((await desk.run([...close, '0.50', '--config', desk.file])).errors).toEqual([said]);
  expect((await desk.run([...close, '0.6', '--config', desk.file])).code).toBe(1);
  const usage = await desk.record(['usage', 'search']);
  expect(JSON.stringify(usage)).toMatch(/"spentUsd":"0\.50/);
});
