import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatUsd, parseUsd } from '../../src/lib/money.ts';
import { meetChat, prompted } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import { type Desk, textOf } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - name: search
    dailyBudgetUsd: "5"
    tags: { team: finders, cost-centre: 4711 }
  - { name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
budgets:
  - { name: lab, apps: [search], monthlyUsd: "90" }
`;
const day = (date: number, month = 11) => Date.UTC(2026, month - 1, date, 9);

let stack: Stack;
let desk: Desk;
let corrected: string;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
  for (const date of [21, 22, 30]) {
    stack.clock.set(day(date));
    for (const words of ['one', 'two of them', 'three words are more']) {
      await meetChat(stack, 'search', 'sim-echo', prompted(words));
      await meetChat(stack, 'tutor', 'sim-echo', { ...prompted(words), userId: `=${words}` });
    }
  }
  stack.clock.set(day(2, 12));
  const { body } = await meetChat(stack, 'search', 'sim-echo');
  corrected = textOf(Object(body), 'id');
});
afterAll(async () => {
  expect(await stack.audit()).toMatchObject({ clean: true });
  await desk.close();
  await stack.close();
});

const month = ['report', '--month', '2026-11'];

function billedPicoUsd(): bigint {
  const { projects } = stack.simulator.bill();
  return projects.reduce((sum, { costPicoUsd }) => sum + costPicoUsd, 0n);
}

async function linesOf(...words: string[]): Promise<readonly string[]> {
  const { code, out, errors } = await desk.run([...words, '--config', desk.file]);
  expect(errors).toEqual([]);
  expect(code).toBe(0);
  return out;
}

test('the files of months add up to the bill, exact to the pico-USD', async () => {
  for (const by of [
    'app,model',
    'user,day',
    'key',
    'platform,project',
    'day',
    'group',
    'user',
    'tag:team,day',
  ]) {
    let sum = 0n;
    for (const of of ['2026-11', '2026-12']) {
      const [head = '', ...rows] = await linesOf(
        'report',
        '--month',
        of,
        '--by',
        by,
        '--format',
        'csv',
      );
      const place = head.trimEnd().split(',').indexOf('costUsd');
      for (const row of rows) sum += parseUsd(row.split(',')[place] ?? '') ?? 0n;
    }
    expect(sum, by).toBe(billedPicoUsd());
  }
});

function valuesOf(head: string, row = ''): Readonly<Record<string, string | undefined>> {
  const names = head.trimEnd().split(',');
  return Object.fromEntries(names.map((name, at) => [name, row.split(',')[at]]));
}

test('a file in the columns of FOCUS has a row a day, app, project, model and meter', async () => {
  const [head = '', ...rows] = await linesOf(...month, '--format', 'focus');
  expect(head).toMatch(/^BillingAccountId,.*,BilledCost,.*,ChargePeriod|^BillingAccountId/);
  expect(rows).toHaveLength(12);
  expect(valuesOf(head, rows[0])).toMatchObject({
    BillingCurrency: 'USD',
    BillingPeriodEnd: '2026-12-01T00:00:00Z',
    ChargePeriodStart: '2026-11-21T00:00:00Z',
    ChargePeriodEnd: '2026-11-22T00:00:00Z',
    ServiceName: 'sandbox',
    ServiceSubcategory: 'Generative AI',
    PricingUnit: 'Tokens',
    HostProviderName: 'sandbox',
    ServiceProviderName: 'sandbox',
    SkuId: 'sim-echo',
    SubAccountName: 'search',
  });
  expect(rows[0]).toContain(',"{""cost-centre"":""4711"",""team"":""finders""}",search,');
  expect(rows.at(-1)).toContain(',{},tutor,');
  const meters = rows.map((row) => valuesOf(head, row));
  for (const { PricingQuantity: quantity, ListUnitPrice: price, BilledCost: usd } of meters)
    expect(BigInt(quantity ?? '') * (parseUsd(price ?? '') ?? 0n)).toBe(parseUsd(usd ?? ''));
  expect(new Set(meters.map(({ SkuMeter }) => SkuMeter))).toEqual(new Set(['Input', 'Output']));
});

test('a month is the same after it is pruned, and no name in a file is a formula', async () => {
  const by = [...month, '--by', 'user,model', '--format', 'csv'];
  const before = await linesOf(...by);
  expect(before).toHaveLength(5);
  expect(before[0]).toMatch(/^app,user,model,calls,errors,inputTokens,.*,unpricedCalls\r$/);
  expect(before[1]).toMatch(/^search,,sim-echo,9,0,/);
  expect(before[2]).toMatch(/^tutor,'=one,sim-echo,3,0,/);
  stack.clock.set(day(3, 12));
  const pruned = await desk.json(['days', 'prune', '--before', '2026-12-01', '--yes']);
  expect(pruned).toMatchObject({ calls: 18, retainedBecause: null });
  expect(await linesOf(...by)).toEqual(before);
  expect(await linesOf(...month, '--by', 'user', '--format', 'csv')).toHaveLength(5);
});

test('a FOCUS file has no price of pruned calls, and the same costs', async () => {
  const [head = '', ...rows] = await linesOf(...month, '--format', 'focus');
  const values = rows.map((row) => valuesOf(head, row));
  expect(values).toHaveLength(6);
  for (const row of values)
    expect(row).toMatchObject({ ChargeCategory: 'Adjustment', ListUnitPrice: '' });
  const { total } = await desk.record([...month, '--by', 'app']);
  const sum = values.reduce((all, { BilledCost }) => all + (parseUsd(BilledCost ?? '') ?? 0n), 0n);
  expect(total).toMatchObject({ costUsd: formatUsd(sum) });
});

test('a correction is in the next report, separate from the platforms’ figures', async () => {
  const december = ['report', '--month', '2026-12', '--by', 'app'];
  const { total: before } = await desk.record(december);
  expect(before).toMatchObject({ calls: 1, costUsd: '0.000006', exactUsd: '0.000006' });
  await desk.json(['calls', 'correct', corrected, '--usd', '0.000004']);
  const { rows, total } = await desk.record(december);
  const sums = { costUsd: '0.000004', exactUsd: '0', estimatedUsd: '0', correctedUsd: '0.000004' };
  expect(rows).toMatchObject([{ app: 'search', ...sums }]);
  expect(total).toMatchObject(sums);
  await desk.json(['calls', 'correct', corrected, '--usd', '0.000006']);
});

test('one table is for people, and has its total', async () => {
  const lines = await linesOf(...month, '--by', 'app', '--app', 'search');
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'app calls errors input output cost exact estimated corrected unpriced',
    expect.stringMatching(/^search 9 0 \d+ \d+ \$0\.\d+ \$0\.\d+ \$0 \$0 \$0$/),
    expect.stringMatching(/^total 9 0 \d+ \d+ \$0\.\d+ \$0\.\d+ \$0 \$0 \$0$/),
  ]);
  const top = await linesOf(...month, '--by', 'user', '--top', '1');
  expect(top).toHaveLength(4);
  expect(top.at(-1)).toBe('The total includes 3 more rows.');
  const none = await linesOf('report', '--from', '2026-01-01', '--to', '2026-01-02');
  expect(none).toEqual(['No calls from 2026-01-01 to 2026-01-02.']);
  const users = await linesOf('report', '--month', '2026-01', '--by', 'user', '--top', '10');
  expect(users).toEqual(['No calls from 2026-01-01 to 2026-01-31.']);
});

test('a FOCUS file has a version, which its metadata names', async () => {
  const headOf = async (...more: string[]) => {
    const [head = ''] = await linesOf(...month, '--format', 'focus', ...more);
    return head.trimEnd().split(',');
  };
  const newest = await headOf();
  expect(await headOf('--focus-version', '1.3')).toEqual(newest);
  const older = await headOf('--focus-version', '1.2');
  const added = ['ServiceProviderName', 'HostProviderName'];
  expect(older).toEqual(newest.filter((name) => !added.includes(name)));
  for (const version of ['1.2', '1.3']) {
    const asked = ['report', '--format', 'focus', '--focus-version', version, '--focus-metadata'];
    const { Schema } = JSON.parse((await linesOf(...asked)).join(''));
    expect(Schema.FocusVersion).toBe(version);
    const names = Schema.ColumnDefinition.map(
      (column: { ColumnName: string }) => column.ColumnName,
    );
    expect(names).toEqual(version === '1.2' ? older : newest);
  }
});

test('apps are added up by their tags, and apps without tags too', async () => {
  const by = async (name: string) => {
    const [head = '', ...rows] = await linesOf(...month, '--by', name, '--format', 'csv');
    expect(head).toMatch(/^[^,]+,calls,errors,/);
    return rows.map((row) => row.split(/,0,/)[0]);
  };
  expect(await by('tag')).toEqual([',9', '"cost-centre=4711, team=finders",9']);
  expect(await by('tag:team')).toEqual([',9', 'finders,9']);
  expect(await by('tag:constructor')).toEqual([',18']);
  await desk.json(['apps', 'update', 'tutor', '--tag', 'team=finders']);
  expect(await by('tag:team')).toEqual(['finders,18']);
});

test.each([
  [[], 'use --month, or --from and --to'],
  [['--month', '2026-13'], '--month must be a UTC month such as 2026-11; it is "2026-13"'],
  [['--month', '2026-11', '--from', '2026-11-01'], '--month cannot be combined with from and to'],
  [['--from', '2026-11-02', '--to', '2026-11-01'], '--to must not be before 2026-11-02'],
  [
    ['--from', '2026-11-31', '--to', '2026-12-01'],
    '--from must be a UTC day such as 2026-11-21; it is "2026-11-31"',
  ],
  [
    ['--month', '2026-11', '--by', 'tag:'],
    '--by must be one of app, project, group, model, user, key, platform, day, tag, tag:NAME; it is "tag:"',
  ],
  [
    ['--month', '2026-11', '--by', 'app,colour'],
    '--by must be one of app, project, group, model, user, key, platform, day, tag, tag:NAME; it is "colour"',
  ],
  [['--month', '2026-11', '--by', 'app,app'], '--by must not contain the same value twice'],
  [
    ['--month', '2026-11', '--format', 'xlsx'],
    '--format must be one of table, csv, json, focus; it is "xlsx"',
  ],
  [
    ['--month', '2026-11', '--format', 'csv', '--json'],
    '--format must be json with --json; it is csv',
  ],
  [
    ['--month', '2026-11', '--format', 'focus', '--by', 'app'],
    '--by must be left out: focus always splits by',
  ],
  [['--month', '2026-11', '--focus-version', '1.2'], '--focus-version requires --format focus'],
  [['--month', '2026-11', '--focus-metadata'], '--focus-metadata requires --format focus'],
  [
    ['--month', '2026-11', '--format', 'focus', '--focus-version', '1.0'],
    '--focus-version must be one of 1.2, 1.3; it is "1.0"',
  ],
  [['--month', '2026-11', '--top', '0'], '--top must be a whole number from 1 to 9999999; it is 0'],
  [['--month', '2026-11', '--tz', 'Europe/Berlin'], '--tz is not supported: report days are UTC'],
  [['--month', '2026-11', '--app', 'nobody'], '--app: unknown app "nobody"'],
])('report %j is rejected', async (words, line) => {
  const result = await desk.run(['report', ...words, '--config', desk.file]);
  expect(result).toMatchObject({ code: 2, out: [] });
  expect(result.errors.join('\n')).toContain(line);
});
