import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk, textOf } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const appKeys = [
  'name',
  'enabled',
  'dailyBudgetUsd',
  'monthlyBudgetUsd',
  'perUserDailyUsd',
  'models',
  'credits',
  'requirePriced',
  'unpriced',
  'streaming',
  'defaultMaxTokens',
  'storeAnswers',
  'adoptRetries',
  'project',
  'plans',
  'ratePerSecond',
  'keysMax',
  'tags',
  'origin',
];

test('the apps of the file exist before any service has started', async () => {
  const apps = await desk.records(['apps', 'list']);
  expect(apps.map(({ name }) => name)).toEqual(['search', 'tutor']);
  expect(apps.map(({ origin }) => origin)).toEqual(['file', 'file']);
  expect(Object.keys(apps[0] ?? {})).toEqual([...appKeys, 'drift']);
});

test('an app is created with all values of its options', async () => {
  const options = ['--daily-budget-usd', '0.000000000001', '--models', 'sim-echo, sim-slow'];
  const credits = ['--monthly-credits', '12.5', '--usd-per-credit', '0.025', '--require-priced'];
  expect(await desk.json(['apps', 'create', 'full', ...options, ...credits])).toEqual({
    name: 'full',
    enabled: true,
    dailyBudgetUsd: '0.000000000001',
    monthlyBudgetUsd: null,
    perUserDailyUsd: null,
    models: ['sim-echo', 'sim-slow'],
    credits: { monthlyGrant: '12.5', usdPerCredit: '0.025' },
    requirePriced: true,
    unpriced: 'refuse',
    streaming: null,
    defaultMaxTokens: null,
    storeAnswers: true,
    adoptRetries: false,
    project: 'prod-acme-core-full',
    plans: {},
    ratePerSecond: null,
    keysMax: 1000,
    tags: {},
    origin: 'command',
  });
});

test('an app without options has no limit and meters no credits', async () => {
  expect(await desk.json(['apps', 'create', 'bare'])).toMatchObject({
    dailyBudgetUsd: null,
    models: null,
    credits: null,
    requirePriced: false,
    unpriced: null,
  });
});

test('a taken name is rejected, whether the file or a command took it', async () => {
  await desk.run(['apps', 'create', 'twice', '--config', desk.file]);
  for (const name of ['twice', 'search']) {
    const again = await desk.run(['apps', 'create', name, '--config', desk.file]);
    expect(again).toMatchObject({ code: 1, out: [] });
    expect(again.errors).toEqual([
      `the app ${name} already exists; change it with "apps update ${name}"`,
    ]);
  }
});

test('an update changes only its options, and `none` removes a limit', async () => {
  const create = ['apps', 'create', 'changing', '--daily-budget-usd', '3', '--models', 'a,b'];
  await desk.json([...create, '--monthly-credits', '100', '--usd-per-credit', '0.01']);
  const update = ['apps', 'update', 'changing'];
  expect(await desk.json([...update, '--daily-budget-usd', '4'])).toMatchObject({
    dailyBudgetUsd: '4',
    models: ['a', 'b'],
    credits: { monthlyGrant: '100', usdPerCredit: '0.01' },
  });
  expect(await desk.json([...update, '--monthly-credits', '50'])).toMatchObject({
    credits: { monthlyGrant: '50', usdPerCredit: '0.01' },
  });
  expect(await desk.json([...update, '--usd-per-credit', '0.02'])).toMatchObject({
    credits: { monthlyGrant: '50', usdPerCredit: '0.02' },
  });
  expect(await desk.json([...update, '--require-priced'])).toMatchObject({
    requirePriced: true,
    unpriced: 'refuse',
  });
  const none = ['--daily-budget-usd', 'none', '--models', 'none', '--monthly-credits', 'none'];
  expect(await desk.json([...update, ...none, '--no-require-priced'])).toMatchObject({
    dailyBudgetUsd: null,
    models: null,
    credits: null,
    requirePriced: false,
  });
});

test('the rate of all keys and their number are set, and read strictly', async () => {
  await desk.json(['apps', 'create', 'bounded', '--keys-max', '1']);
  const update = ['apps', 'update', 'bounded'];
  const set = await desk.json([...update, '--rate-per-second', '0.5', '--keys-max', '2']);
  expect(set).toMatchObject({ ratePerSecond: 0.5, keysMax: 2 });
  const { out } = await desk.run([...update, '--keys-max', '1', '--config', desk.file]);
  expect(out).toEqual(
    expect.arrayContaining(['rate limit       0.5 a second', 'maximum keys     1']),
  );
  expect(await desk.json([...update, '--rate-per-second', 'none'])).toMatchObject({
    ratePerSecond: null,
  });
  for (const wrong of [
    ['--rate-per-second', '0'],
    ['--rate-per-second', '0.1234567'],
    ['--keys-max', '0'],
    ['--keys-max', 'none'],
  ]) {
    expect((await desk.run([...update, ...wrong, '--config', desk.file])).code).toBe(2);
  }
  const issue = ['keys', 'issue', '--app', 'bounded', '--email', 'a@acme.example'];
  const { id } = Object(await desk.json(issue));
  const refused = await desk.run([...issue, '--config', desk.file]);
  expect(refused.code).toBe(1);
  expect(refused.errors.join()).toContain('apps update bounded --keys-max N');
  await desk.json(['keys', 'disable', String(id)]);
  const list = await desk.run(['keys', 'list', '--app', 'bounded', '--config', desk.file]);
  expect(list.out[0]).toMatch(/^id +app +role +enabled +disabled by +created/);
  expect(list.out[1]).toContain('(operator)');
});

test('credits need both of their values, unless the app has the other', async () => {
  await desk.json(['apps', 'create', 'unmetered']);
  const half = ['apps', 'update', 'unmetered', '--monthly-credits', '5', '--config', desk.file];
  const { code, errors } = await desk.run(half);
  expect(code).toBe(2);
  expect(errors.join('\n')).toMatch(
    /^credits require both a monthly grant and the value of a credit$/,
  );
});

test('an app is disabled and enabled', async () => {
  await desk.json(['apps', 'create', 'switched']);
  expect(await desk.json(['apps', 'disable', 'switched'])).toMatchObject({ enabled: false });
  expect(await desk.json(['apps', 'enable', 'switched'])).toMatchObject({ enabled: true });
});

test('every command rejects an unknown app, with the next step', async () => {
  for (const verb of ['update', 'enable', 'disable']) {
    const options = verb === 'update' ? ['--require-priced'] : [];
    const { code, out, errors } = await desk.run(
      ['apps', verb, 'nobody', ...options].concat('--config', desk.file),
    );
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(errors).toEqual(['unknown app nobody; run "apps list"']);
  }
});

test('people get columns and facts', async () => {
  const list = await desk.run(['apps', 'list', '--config', desk.file]);
  const [head = '', ...rows] = list.out;
  expect(head).toMatch(
    /^app +enabled +daily budget +models +credits a month +tags +origin +project$/,
  );
  const search = rows.find((row) => row.startsWith('search')) ?? '';
  expect(search.indexOf('$5')).toBe(head.indexOf('daily budget'));
  const tutor = await desk.run(['apps', 'enable', 'tutor', '--config', desk.file]);
  expect(tutor.out).toContain('credits          1000 a month, $0.01 each');
});

test('the policy for models without a price is set, and left to the configuration', async () => {
  await desk.json(['apps', 'create', 'unpriced', '--unpriced', 'free']);
  const update = ['apps', 'update', 'unpriced'];
  for (const policy of ['dearest', 'refuse', 'free']) {
    expect(await desk.json([...update, '--unpriced', policy])).toMatchObject({
      unpriced: policy,
      requirePriced: policy === 'refuse',
    });
  }
  expect(await desk.json([...update, '--unpriced', 'default'])).toMatchObject({ unpriced: null });
  for (const [options, sentence] of [
    [
      ['--unpriced', 'no'],
      '--unpriced must be one of highest, dearest, refuse, free, default; it is "no"',
    ],
    [
      ['--unpriced', 'free', '--require-priced'],
      '--unpriced conflicts with --require-priced; remove --require-priced',
    ],
  ] as const) {
    const { code, errors } = await desk.run([...update, ...options, '--config', desk.file]);
    expect({ code, errors }).toEqual({ code: 2, errors: [sentence] });
  }
});

test('whether an app streams is set, and left to the configuration', async () => {
  await desk.json(['apps', 'create', 'streams', '--streaming', 'on']);
  const update = ['apps', 'update', 'streams'];
  for (const [word, streaming] of [
    ['off', false],
    ['on', true],
    ['default', null],
  ] as const) {
    expect(await desk.json([...update, '--streaming', word])).toMatchObject({ streaming });
  }
  const bad = await desk.run([...update, '--streaming', 'yes', '--config', desk.file]);
  const sentence = '--streaming must be one of on, off, default; it is "yes"';
  expect(bad).toMatchObject({ code: 2, errors: [sentence] });
});

test('tags are set one by one, and removed', async () => {
  const first = ['--tag', 'cost-centre=4711', '--tag', 'team=R&D = search'];
  const made = await desk.json(['apps', 'create', 'tagged', ...first]);
  expect(made).toMatchObject({ tags: { 'cost-centre': '4711', team: 'R&D = search' } });
  const update = ['apps', 'update', 'tagged'];
  expect(await desk.json([...update, '--tag', 'cost-centre=4712'])).toMatchObject({
    tags: { 'cost-centre': '4712', team: 'R&D = search' },
  });
  const shown = await desk.run([...update, '--tag', 'team=', '--config', desk.file]);
  expect(shown.out).toContain('tags             cost-centre=4712');
  const lines = await desk.records(['log', 'list', '--subject', 'tagged']);
  const [newest, before] = lines.map(({ after }) => Object(JSON.parse(textOf({ after }, 'after'))));
  expect(newest).toMatchObject({ tags: { 'cost-centre': '4712' } });
  expect(before).toMatchObject({ tags: { 'cost-centre': '4712', team: 'R&D = search' } });
  for (const [tag, sentence] of [
    ['4711', '--tag[0] must be a tag such as cost-centre=4711; it is "4711"'],
    ['=4711', '--tag[0] must be a tag such as cost-centre=4711; it is "=4711"'],
    ['a b=1', 'must be a name of letters, digits and _.:/@+-'],
    [
      'centre=a,b',
      '--tag.centre: must be a string of at most 128 characters without a comma; it is "a,b"',
    ],
    [`centre=${'x'.repeat(129)}`, 'must be a string of at most 128 characters'],
  ] as const) {
    const bad = await desk.run([...update, '--tag', tag, '--config', desk.file]);
    expect(bad).toMatchObject({ code: 2, out: [] });
    expect(bad.errors.join('\n')).toContain(sentence);
  }
  const many = Array.from({ length: 41 }, (_, at) => ['--tag', `n${at}=1`]).flat();
  const bad = await desk.run([...update, ...many, '--config', desk.file]);
  expect(bad.errors).toEqual([expect.stringContaining('--tag: takes at most 40 tags; it has ')]);
});
