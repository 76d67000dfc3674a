import { afterAll, beforeAll, expect, test } from 'vitest';
import { printable } from '../../src/operations/description/text-lines.ts';
import { type Desk, deskYaml, openDesk } from './support/desk.ts';

const environment: Record<string, string> = {};
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ yaml: deskYaml, environment });
});
afterAll(() => desk.close());

test.each([
  [{ MODEL_GATEWAY_ACTOR: 'ann@acme.example', SUDO_USER: 'bob' }, 'cli:ann@acme.example'],
  [{ SUDO_USER: 'bob' }, 'cli:bob'],
])(
  'the actor is the given name, else who became another user by sudo: %j',
  async (names, actor) => {
    Object.assign(environment, names);
    await desk.json(['apps', 'update', 'search', '--daily-budget-usd', '6', '--reason', 'growth']);
    await desk.json(['apps', 'update', 'search', '--daily-budget-usd', '5']);
    for (const name of Object.keys(names)) delete environment[name];
    const lines = await desk.records(['log', 'list', '--actor', actor]);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatchObject({ actor, subject: 'search' });
    expect(lines.map(({ reason }) => reason)).toContain('growth');
  },
);

test.each(['', 'a b', 'a\u0007', 'a\u202eb', 'x'.repeat(129)])(
  '%j is not a valid actor',
  async (actor) => {
    environment.MODEL_GATEWAY_ACTOR = actor;
    const { code, errors } = await desk.run(['apps', 'list', '--config', desk.file]);
    delete environment.MODEL_GATEWAY_ACTOR;
    expect(code).toBe(2);
    expect(errors[0]).toContain(
      `for example ann@acme.example; it is ${printable(JSON.stringify(actor))}`,
    );
  },
);

test('a wallet’s lines show each change, its actor and its reason, for searches', async () => {
  const owner = ['tutor', 'ada'];
  const why = ['--reason', 'a gift', '--reference', 'gift-1'];
  await desk.json(['wallets', 'top-up', ...owner, '50', ...why]);
  await desk.json(['wallets', 'debit', ...owner, '10.5']);
  const history = await desk.record(['wallets', 'history', ...owner]);
  const actor = expect.stringMatching(/^cli:/);
  const at = expect.stringMatching(/Z$/);
  expect(history).toEqual({
    ...{ app: 'tutor', userId: 'ada', months: [] },
    changes: [
      { at, credits: '50', reference: 'gift-1', actor, reason: 'a gift' },
      { at, credits: '-10.5', reference: expect.stringMatching(/^topup_/), actor, reason: null },
    ],
  });
  const lines = await desk.records(['log', 'list', '--subject', 'tutor/ada', '--since', '1h']);
  expect(lines.map(({ action }) => action).sort()).toEqual(['wallet.debit', 'wallet.top-up']);
  expect(await desk.records(['log', 'list', '--subject', 'tutor/bob'])).toEqual([]);
  const { out } = await desk.run(['wallets', 'history', ...owner, '--config', desk.file]);
  expect(out[0]).toBe('No calls were paid from this wallet.');
  expect(out).toHaveLength(5);
});

test.each([
  [['--limit', '0'], '--limit must be a whole number from 1 to 200; it is 0'],
  [['--limit', '201'], '--limit must be a whole number from 1 to 200; it is 201'],
  [['--since', 'once'], '--since must be a day such as '],
  [['--actor', ''], '--actor must not be empty'],
])('an invalid search of the log is rejected: %s', async (options, sentence) => {
  const { code, errors } = await desk.run(['log', 'list', ...options, '--config', desk.file]);
  expect(code).toBe(2);
  expect(errors[0]).toContain(sentence);
});
