import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyNameFor } from '../../src/domain/key-name.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { makeKey } from '../../src/registry/key-format.ts';
import { type Desk, openDesk, textOf } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const elsewhere = 'a-key-that-was-made-elsewhere';

test('a key is issued once, with the role of its address', async () => {
  const issued = await desk.record(['keys', 'issue', '--app', 'search', '--email', 'a@b.example']);
  expect(Object.keys(issued)).toEqual(['id', 'key', 'name', 'customerId', 'role']);
  expect(issued).toMatchObject({
    name: 'llm::user::search::a@b.example',
    customerId: 'search',
    role: 'user',
  });
  expect(issued.key).toMatch(/^mgk_[0-9A-Za-z]{12}_[0-9A-Za-z]{34}$/);
  const email = 'Admin@acme.example';
  expect(await desk.json(['keys', 'issue', '--app', 'search', '--email', email])).toMatchObject({
    name: `llm::admin::search::${email}`,
    role: 'admin',
  });
});

test('a key is listed without its secret, and by its app', async () => {
  const issued = await desk.record(['keys', 'issue', '--app', 'tutor', '--email', 't@b.example']);
  const other = await desk.record(['keys', 'import', '--name', 'odd', '--customer-id', 'tutor']);
  const keys = await desk.records(['keys', 'list', '--app', 'tutor']);
  expect(keys.map(({ id }) => id)).toEqual([issued.id, other.id]);
  const fields = ['id', 'name', 'customerId', 'role', 'enabled', 'createdAt'];
  const use = ['lastUsedAt', 'callsToday', 'spentTodayUsd'];
  expect(Object.keys(keys[0] ?? {}).sort()).toEqual([...fields, ...use, 'app'].sort());
  expect(Object.keys(keys[1] ?? {}).sort()).toEqual([...fields, ...use].sort());
  expect(keys[1]).toMatchObject({ name: 'odd', role: null, enabled: true });
  expect(textOf(keys[0] ?? {}, 'createdAt')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const everything = await desk.run(['keys', 'list', '--json', '--config', desk.file]);
  expect(everything.out.join()).not.toContain(textOf(issued, 'key').slice(20));
  const unknown = await desk.run(['keys', 'list', '--app', 'nobody', '--config', desk.file]);
  expect(unknown.errors).toEqual(['unknown app nobody; run "apps list"']);
});

test('a key whose name has another app than its customer has no role', async () => {
  const name = 'llm::admin::search::t@b.example';
  const importing = ['keys', 'import', '--name', name, '--customer-id', 'tutor'];
  const issued = await desk.record(importing);
  expect(issued).toMatchObject({ name, customerId: 'tutor', role: null });
  const keys = await desk.records(['keys', 'list']);
  expect(keys.find(({ id }) => id === issued.id)).toMatchObject({ role: null, app: 'search' });
});

test('an external key is read from standard input, without its line end', async () => {
  const command = ['keys', 'import', '--name', 'llm::user::search::x@y', '--customer-id', 'search'];
  const imported = await desk.record([...command, '--key-stdin'], `${elsewhere}\r\n`);
  expect(imported).toMatchObject({ key: elsewhere, role: 'user', customerId: 'search' });
  const again = await desk.run([...command, '--key-stdin', '--config', desk.file], elsewhere);
  expect(again).toMatchObject({ code: 1, out: [] });
  expect(again.errors).toEqual(['this key already exists; "keys list" shows its id']);
});

const ours = makeKey(createIds(systemClock)).key;
const wrongChecksum = ours.slice(0, -1) + (ours.endsWith('0') ? '1' : '0');

test.each([
  ['nothing', ''],
  ['19 characters', 'x'.repeat(19)],
  ['257 characters', 'x'.repeat(257)],
  ['a space', `${elsewhere} and more`],
  ['two lines', `${elsewhere}\n${elsewhere}`],
  ['an mgk_ key with a wrong checksum', wrongChecksum],
])('standard input with %s is not a key', async (_what, input) => {
  const command = ['keys', 'import', '--name', 'n', '--customer-id', 'search', '--key-stdin'];
  const { code, out, errors } = await desk.run([...command, '--config', desk.file], input);
  expect({ code, out }).toEqual({ code: 2, out: [] });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(/20–256 printable characters/);
  if (input !== '') expect(errors[0]).not.toContain(input.slice(0, 19));
});

test('a disabled key stays in the list, and an unknown one is rejected', async () => {
  const { id } = await desk.record(['keys', 'issue', '--app', 'search', '--email', 'd@b.example']);
  expect(await desk.json(['keys', 'disable', String(id)])).toMatchObject({ id, enabled: false });
  const keys = await desk.records(['keys', 'list']);
  expect(keys.find((key) => key.id === id)).toMatchObject({ enabled: false });
  for (const verb of ['disable', 'enable']) {
    const unknown = await desk.run(['keys', verb, 'nothing', '--config', desk.file]);
    expect(unknown).toMatchObject({ code: 1, out: [] });
    expect(unknown.errors).toEqual(['unknown key nothing; run "keys list"']);
  }
});

test('a key that was disabled by mistake can be enabled again', async () => {
  const { id } = await desk.record(['keys', 'issue', '--app', 'search', '--email', 'e@b.example']);
  await desk.json(['keys', 'disable', String(id)]);
  expect(await desk.json(['keys', 'enable', String(id)])).toMatchObject({ id, enabled: true });
  const keys = await desk.records(['keys', 'list']);
  expect(keys.find((key) => key.id === id)).toMatchObject({ enabled: true });
});

test('a key of an unregistered app is rejected', async () => {
  const issue = ['keys', 'issue', '--app', 'nobody', '--email', 'a@b.example'];
  const { code, errors } = await desk.run([...issue, '--config', desk.file]);
  expect(code).toBe(1);
  expect(errors).toEqual(['unknown app nobody; run "apps list"']);
});

test.each([
  'a@b\u001b[31m.example',
  'a@b\u202emoc.example',
  'a\u200b@b.example',
  'a\u2028b@b.example',
  'a\ud800@b.example',
  '\u2066a@b.example',
])('%j is not a valid address: its role would be invisible', async (email) => {
  const issue = ['keys', 'issue', '--app', 'search', '--email', email, '--config', desk.file];
  const { code, out, errors } = await desk.run(issue);
  expect({ code, out }).toEqual({ code: 2, out: [] });
  expect(errors.join()).toContain('--email must be one line of visible text');
  expect(errors.join()).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
});

test('only the exact address of the admin, in any ASCII case, has the role admin', async () => {
  const roleOf = async (email: string) =>
    (await desk.record(['keys', 'issue', '--app', 'search', '--email', email])).role;
  expect(await roleOf('ADMIN@Acme.Example')).toBe('admin');
  // The small form of U+0130 has an i in it, and that of U+212A is a k.
  for (const email of ['adm\u0130n@acme.example', 'adm\u0131n@acme.example']) {
    expect(await roleOf(email)).toBe('user');
  }
  const name = keyNameFor({ app: 'a', email: '\u212aate@b', adminEmail: 'kate@b' });
  expect(name).toBe('llm::user::a::\u212aate@b');
});

test('a short key is accepted with a warning that it can be guessed', async () => {
  const importing = ['keys', 'import', '--name', 'n', '--customer-id', 'search', '--key-stdin'];
  const { code, errors } = await desk.run([...importing, '--config', desk.file], 'a'.repeat(20));
  expect(code).toBe(0);
  expect(errors.join()).toContain('the key consists of only 1 character and can be guessed');
});

test('people read that a key is shown once, and no name controls their terminal', async () => {
  const name = 'bell\u0007 \u202eback\u2028';
  const importing = ['keys', 'import', '--name', name, '--customer-id', 'search'];
  const { out } = await desk.run([...importing, '--config', desk.file]);
  expect(out).toContain('The key is shown only now; only its hash is stored.');
  expect(out).toContain('The key works on every replica within 1 s.');
  const { out: list } = await desk.run(['keys', 'list', '--config', desk.file]);
  expect(list.join('\n')).toContain('bell');
  expect([...out, ...list].join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
  // JSON output is exact.
  const named = (await desk.records(['keys', 'list'])).filter((key) => key.name === name);
  expect(named).toHaveLength(1);
});

const issuing = ['keys', 'issue', '--app', 'search', '--email', 'l@b.example'];

test('a key has budgets, models, an end and a note, and a rotated key has the same', async () => {
  const limits = ['--daily-usd', '2', '--monthly-usd', '20', '--models', 'sim-echo,sim-slow'];
  const life = ['--expires', '2999-12-31', '--note', 'for the night run'];
  const issued = await desk.record([...issuing, ...limits, ...life]);
  const id = textOf(issued, 'id');
  const rotated = await desk.record(['keys', 'rotate', id, '--expires', '3000-01-01T12:30Z']);
  expect(rotated.name).toBe(issued.name);
  const keys = await desk.records(['keys', 'list', '--app', 'search']);
  const same = {
    ...{ enabled: true, dailyUsd: '2', monthlyUsd: '20', note: 'for the night run' },
    models: ['sim-echo', 'sim-slow'],
  };
  const [first, second] = [issued, rotated].map((made) => keys.find((key) => key.id === made.id));
  expect(first).toMatchObject({ ...same, expiresAt: '2999-12-31T00:00:00.000Z' });
  expect(first).not.toHaveProperty('rotatedFrom');
  expect(second).toMatchObject({ ...same, expiresAt: '3000-01-01T12:30:00.000Z', rotatedFrom: id });
  expect(await desk.records(['budgets', 'show', `key:${id}`])).toMatchObject([
    { span: 'day', capUsd: '2', carriedOverUsd: '0', apps: null },
    { span: 'month', capUsd: '20' },
  ]);
  const { out } = await desk.run(['keys', 'list', '--config', desk.file]);
  expect(out[0]).toMatch(
    /name +last used +calls today +spent today +expires +a day +a month +models +rotated from +note$/,
  );
});

test.each([
  [['--expires', 'tomorrow'], 2, /--expires must be a day such as .*; it is "tomorrow"/],
  [['--expires', '2026-02-31'], 2, /--expires must be a day such as .*; it is "2026-02-31"/],
  [['--expires', '2001-01-01'], 2, /the expiry time 2001-01-01T00:00:00.000Z is in the past/],
  [['--daily-usd', 'much'], 2, /--daily-usd must be a decimal amount in USD.*; it is "much"/],
  [['--models', 'a,a'], 2, /--models/],
  [['--note', 'two\nlines'], 2, /--note must be one line of visible text/],
] as const)('a key is not issued with %j', async (words, code, sentence) => {
  const result = await desk.run([...issuing, ...words, '--config', desk.file]);
  expect(result.code).toBe(code);
  expect(result.errors.join()).toMatch(sentence);
});

test('a disabled or unknown key is not rotated', async () => {
  const { id } = await desk.record(issuing);
  await desk.json(['keys', 'disable', String(id)]);
  const disabled = await desk.run(['keys', 'rotate', String(id), '--config', desk.file]);
  expect(disabled).toMatchObject({ code: 1, out: [] });
  expect(disabled.errors.join()).toMatch(/is disabled; run "keys enable/);
  const unknown = await desk.run(['keys', 'rotate', 'nobody', '--config', desk.file]);
  expect(unknown.errors.join()).toMatch(/unknown key nobody/);
});

test('an external key is not shown, and a generated one is', async () => {
  const command = ['keys', 'import', '--name', 'given', '--customer-id', 'search'];
  const secret = 'made-elsewhere-0123456789-abcdef';
  const given = await desk.run([...command, '--key-stdin', '--config', desk.file], secret);
  expect(given.code).toBe(0);
  expect([...given.out, ...given.errors].join('\n')).not.toContain(secret);
  expect(given.out.at(-1)).toBe("Only the key's hash is stored; the key is not shown.");
  const made = await desk.run([...command, '--config', desk.file]);
  expect(made.out.join('\n')).toMatch(/mgk_/);
});
