import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { costReport } from '../invoices/read.ts';
import { type Desk, openDesk } from './support/desk.ts';

let desk: Desk;
let now = Date.UTC(2026, 10, 23, 12);
beforeEach(async () => {
  now = Date.UTC(2026, 10, 23, 12);
  desk = await openDesk({ yaml, clock: { ...systemClock, now: () => now } });
});
afterEach(() => desk.close());

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
  aws: { kind: bedrock-mantle, region: us-east-1, apiKey: none }
  claude: { kind: anthropic, apiKey: secret }
apps:
  - { name: search }
`;

function put(name: string, text: string | Uint8Array): string {
  const path = join(desk.folder, name);
  writeFileSync(path, text);
  return path;
}

function fixture(name: string): string {
  const path = join(desk.folder, name);
  copyFileSync(new URL(`../invoices/fixtures/${name}`, import.meta.url), path);
  return path;
}

const importing = (platform: string, ...files: string[]) => {
  return ['reconcile', 'import', '--platform', platform, '--file', ...files];
};
const months = ['--month', '2026-11'];

describe('import', () => {
  test('reads a usage report, and the same file twice changes nothing', async () => {
    const file = fixture('cur.csv');
    expect(await desk.record(importing('aws', file))).toMatchObject({
      ...{ platform: 'aws', days: ['2026-11-20'], changedDays: ['2026-11-20'], lines: 3 },
      ...{ totalUsd: '0.12169655', isRepeated: false },
    });
    const shown = await desk.run(['reconcile', 'show', '--config', desk.file, ...months]);
    expect(shown.code).toBe(1);
    expect(await desk.record(importing('aws', file))).toMatchObject({ isRepeated: true });
    expect(await desk.run(['reconcile', 'show', '--config', desk.file, ...months])).toEqual(shown);
  });

  test('a later report replaces the days that it contains, and no other', async () => {
    await desk.record(importing('claude', put('a.json', costReport())));
    const later = costReport({ amount: '2' });
    expect(await desk.record(importing('claude', put('b.json', later)))).toMatchObject({
      ...{ changedDays: ['2026-06-14'], totalUsd: '0.02' },
    });
    const other = costReport({ amount: '5' }).replaceAll('-15', '-16').replaceAll('-14', '-15');
    await desk.record(importing('claude', put('c.json', other)));
    const rows = await rowsOf('2026-06');
    expect(rows.map(({ day, invoiceUsd }) => [day, invoiceUsd])).toEqual([
      ['2026-06-14', '0.02'],
      ['2026-06-15', '0.05'],
    ]);
  });

  test('a figure that is unchanged for 48 hours of imports is final', async () => {
    await desk.record(importing('claude', put('a.json', costReport())));
    now += 47 * 3_600_000;
    await desk.record(importing('claude', put('b.json', ` ${costReport()}`)));
    expect(await rowsOf('2026-06')).toMatchObject([{ isFinal: false }]);
    now += 3_600_000;
    await desk.record(importing('claude', put('c.json', `  ${costReport()}`)));
    expect(await rowsOf('2026-06')).toMatchObject([{ isFinal: true }]);
  });

  test('a bad part leaves everything unchanged', async () => {
    const good = fixture('cur.csv');
    const bad = put('bad.csv', 'line_item_usage_type\nx\n');
    const result = await desk.run([...importing('aws', good, bad), '--config', desk.file]);
    expect(result).toMatchObject({ code: 2 });
    expect(result.errors.join()).toContain(
      'nothing was imported: bad.csv: the column line_item_usage_start_date is missing',
    );
    expect(await desk.records(['reconcile', 'show', ...months])).toEqual([]);
  });

  test('a part that is missing is named', async () => {
    const second = put('export-00002.csv.gz', 'x');
    const manifest = put('export-Manifest.json', '{"dataFiles":["s3://b/export-00001.csv.gz"]}');
    for (const [files, words] of [
      [[second], 'the part export-00001 is missing'],
      [[manifest], 'lists export-00001.csv.gz, which is not in'],
      [['nowhere.csv'], '--file: "nowhere.csv" is not a file'],
    ] as const) {
      const result = await desk.run([...importing('aws', ...files), '--config', desk.file]);
      expect(result.code).toBe(2);
      expect(result.errors.join()).toContain(words);
    }
  });

  test('a manifest includes its parts', async () => {
    fixture('cur.csv');
    const manifest = put('x-Manifest.json', '{"dataFiles":["s3://bucket/data/cur.csv"]}');
    expect(await desk.record(importing('aws', manifest))).toMatchObject({ lines: 3 });
  });

  test('a month and a dry run are accepted as on the route', async () => {
    const file = fixture('cur.csv');
    const other = [...importing('aws', file), '--month', '2026-10', '--config', desk.file];
    const refused = await desk.run(other);
    expect([refused.code, refused.errors.join()]).toEqual([
      2,
      expect.stringContaining('the file also contains 2026-11-20'),
    ]);
    const planned = await desk.record([...importing('aws', file), '--dry-run', ...months]);
    expect(planned).toMatchObject({ changedDays: ['2026-11-20'] });
    const days = ['--from', '2026-11-20', '--to', '2026-11-20'];
    expect(await desk.records(['reconcile', 'show', ...days])).toEqual([]);
    expect(await desk.record(importing('aws', file))).toEqual(planned);
  });

  test('an unknown platform is wrong usage', async () => {
    const result = await desk.run([
      ...importing('azure', fixture('cur.csv')),
      '--config',
      desk.file,
    ]);
    expect(result.code).toBe(2);
    expect(result.errors.join()).toContain(
      'unknown platform azure; the configuration has sandbox, aws, claude',
    );
  });
});

describe('fetch', () => {
  const fetching = (platform: string, from: string, to: string) => [
    'reconcile',
    'fetch',
    '--platform',
    platform,
    '--from',
    from,
    '--to',
    to,
    '--config',
    desk.file,
  ];

  test('fetches from a platform, and prints the changes', async () => {
    const words = fetching('sandbox', '2026-11-01', '2026-11-10').slice(0, -2);
    expect(await desk.record(words)).toMatchObject({
      ...{ platform: 'sandbox', totalUsd: '0', lines: 0, isRepeated: false },
      days: expect.arrayContaining(['2026-11-01', '2026-11-10']),
    });
  });

  test('rejects a platform without a key, and invalid days', async () => {
    for (const [words, message] of [
      [fetching('claude', '2026-11-01', '2026-11-02'), 'claude does not support fetching costs'],
      [fetching('sandbox', '2026-11-02', '2026-11-01'), 'from the first to the last'],
      [fetching('sandbox', '2024-11-02', '2026-11-01'), 'use 1 to 366 days'],
      [fetching('sandbox', 'today', '2026-11-01'), '--from must be a UTC day'],
    ] as const) {
      const { code, errors } = await desk.run(words);
      expect(code).toBe(2);
      expect(errors.join()).toContain(message);
    }
  });
});

test('settle needs --yes without a terminal, and a day', async () => {
  const words = ['reconcile', 'settle', '--config', desk.file, '--day'];
  expect((await desk.run([...words, '2026-11-20'])).code).toBe(2);
  expect((await desk.run([...words, 'x', '--yes'])).code).toBe(2);
  const other = await desk.run([...words, '2026-11-20', '--yes', '--platform', 'azure']);
  expect([other.code, other.errors.join()]).toEqual([
    2,
    expect.stringContaining('unknown platform azure'),
  ]);
  const { code, out } = await desk.run([...words, '2026-11-20', '--yes']);
  expect([code, out]).toEqual([0, ['Nothing to settle: no final day has an explained estimate.']]);
});

test('show prints costs without an app, and exits with 1', async () => {
  await desk.record(importing('aws', fixture('cur.csv')));
  const { code, out, errors } = await desk.run([
    'reconcile',
    'show',
    '--config',
    desk.file,
    ...months,
  ]);
  expect(code).toBe(1);
  expect(errors.join()).toContain('unexplained differences: 1 over, 1 untagged');
  expect(out.join('\n')).toContain('untagged');
});

test('show rejects an invalid day, an invalid month, and both', async () => {
  for (const [options, words] of [
    [['--day', '2026-02-30'], '--day must be a UTC day such as 2026-11-21; it is "2026-02-30"'],
    [['--month', '2026-13'], '--month must be a UTC month such as 2026-11; it is "2026-13"'],
    [
      ['--day', '2026-11-01', '--month', '2026-11'],
      '--day cannot be combined with month, from and to',
    ],
  ] as const) {
    const result = await desk.run(['reconcile', 'show', '--config', desk.file, ...options]);
    expect(result.code).toBe(2);
    expect(result.errors.join()).toContain(words);
  }
});

/** The output of `show`, with or without explanations. */
async function rowsOf(month: string): Promise<readonly Record<string, unknown>[]> {
  const words = ['reconcile', 'show', '--month', month, '--json', '--config', desk.file];
  const { out } = await desk.run(words);
  const rows: unknown = JSON.parse(out.join(''));
  return Array.isArray(rows) ? rows : [];
}
