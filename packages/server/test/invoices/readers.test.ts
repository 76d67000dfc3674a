import { createHook } from 'node:async_hooks';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { csvRows } from '../../src/invoices/csv.ts';
import { costReport, fixture, openaiCosts, readFiles } from './read.ts';

test("Anthropic's cost report is read in cents, the workspace null as default", async () => {
  const invoice = await readFiles([fixture('anthropic-cost-report.json')]);
  expect(invoice.days).toEqual(['2026-06-14']);
  expect(invoice.lines).toMatchObject([
    { tokenType: 'output_tokens', amount: 470_000_000n },
    {
      ...{ project: 'default', model: 'claude-haiku-4-5-20251001', amount: 45_000_000n },
      ...{ kind: 'tokens', tokenType: 'uncached_input_tokens', tolerance: 0n },
    },
  ]);
  expect(invoice).toMatchObject({ rounded: 0, skipped: 0, isClosed: false });
});

test("OpenAI's costs are read with half of their last digit as tolerance", async () => {
  const invoice = await readFiles([fixture('openai-costs.json')]);
  expect(invoice.days).toEqual(['2024-11-01']);
  expect(invoice.lines).toEqual([
    {
      ...{ day: '2024-11-01', project: 'proj_abc', app: '', kind: 'tokens' },
      ...{ model: 'gpt-5.6-luna', tokenType: 'input', quantity: 300_000n },
      ...{ amount: 60_000_000_000n, tolerance: 5_000_000_000n },
    },
  ]);
});

test('a number that no float can hold is read exactly', async () => {
  const read = async (value: string) => (await readFiles([openaiCosts(value)])).lines[0]?.amount;
  expect(await read('12345.678901234567')).toBe(12_345_678_901_234_567n);
  expect(await read('"0.000000000001"')).toBe(1n);
  expect(await read('6e-05')).toBe(60_000_000n);
  expect(await read('-0.5')).toBe(-500_000_000_000n);
});

test('a line item that cannot be parsed has no model', async () => {
  const row = '"project_id":"proj_1","line_item":"web search tool calls"';
  const { lines } = await readFiles([openaiCosts('1', row)]);
  expect(lines).toMatchObject([{ model: '', tokenType: 'web search tool calls' }]);
});

test('a usage report is read by its units and tags, for any split', async () => {
  const csv = fixture('cur.csv');
  const whole = await readFiles([csv]);
  expect(whole.lines).toMatchObject([
    { app: '', project: '', model: 'anthropic.claude-haiku-4-5', amount: 7_040_000_000n },
    {
      ...{ day: '2026-11-20', app: 'search', project: 'prod-acme-core-search' },
      ...{ model: 'openai.gpt-oss-120b', tokenType: 'input-tokens-standard' },
      ...{ quantity: 412_337n, amount: 61_850_550_000n },
    },
    { quantity: 88_010n, amount: 52_806_000_000n },
  ]);
  expect(await readFiles([csv], 1)).toEqual(whole);
  const packed = await readFiles([gzipSync(csv)], 7);
  expect({ ...packed, sourceHash: '' }).toEqual({ ...whole, sourceHash: '' });
});

test('tags without a prefix, units of a million and other services', async () => {
  const [head = '', first = ''] = fixture('cur.csv').toString().split('\n');
  const plain = first.replaceAll('user_', '').replace('1K tokens', '1M tokens');
  const unexpected = first.replace('1K tokens', 'Bushels');
  const tax = first.replace(',Usage,', ',Tax,');
  const other = first.replace('openai.gpt-oss-120b-mantle-', '');
  const rows = [head, plain, tax, other, ''];
  const invoice = await readFiles([rows.join('\r\n')]);
  expect(invoice.lines).toMatchObject([{ app: 'search', quantity: 412_337_000n }]);
  expect(invoice.skipped).toBe(2);
  const unknown = await readFiles([[head, first, unexpected].join('\n')]);
  expect(unknown.lines).toMatchObject([{ quantity: undefined, amount: 123_701_100_000n }]);
});

test('a month with an invoice number in each row is closed', async () => {
  const [head = '', first = ''] = fixture('cur.csv').toString().split('\n');
  const closed = [`${head},bill_invoice_id`, `${first},123`].join('\n');
  expect((await readFiles([closed])).isClosed).toBe(true);
  expect((await readFiles([`${closed}\n${first},`])).isClosed).toBe(false);
  expect((await readFiles([fixture('cur.csv')])).isClosed).toBe(false);
});

test('the same parts have the same hash in any order', async () => {
  const csv = fixture('cur.csv').toString();
  const [one, two] = [csv, csv.replaceAll('search', 'reports')];
  const { sourceHash } = await readFiles([one, two]);
  expect((await readFiles([two, one])).sourceHash).toBe(sourceHash);
  expect((await readFiles([one])).sourceHash).not.toBe(sourceHash);
});

test('pages follow each other', async () => {
  const first = costReport({}, { has_more: true, next_page: 'page_2' });
  const second = costReport().replaceAll('06-15', '06-16').replaceAll('06-14', '06-15');
  expect((await readFiles([first, second])).days).toEqual(['2026-06-14', '2026-06-15']);
  await expect(readFiles([first])).rejects.toThrow('file 1: has_more is true; pass all pages');
  await expect(readFiles([first, costReport()])).rejects.toThrow('2026-06-14 is also in file 1');
});

afterEach(() => vi.restoreAllMocks());

test('a usage type is split at its last -mantle-, with something before and after it', async () => {
  const pattern = /^(?:[A-Z]{2,4}\d{1,2}-)?(.+)-mantle-(.+)$/;
  const types = [
    ...[
      'USE1-a-mantle-b',
      'a-mantle-b',
      'USE1-mantle-b',
      'USE1--mantle-b',
      '-mantle-b',
      'a-mantle-',
    ],
    ...['a-mantle-b-mantle-c', 'a-mantle-b-mantle-', 'a-mantle-mantle-b', 'a--mantle--b', 'a'],
    ...['USE12-a-mantle-b', 'USE123-a-mantle-b', 'U1-a-mantle-b', 'USE1-APN1-a-mantle-b', ''],
    ...['a\n-mantle-b', 'a-mantle-b\n', 'a-mantle-\u2028', '-mantle--mantle-b', '-mantle-mantle-b'],
  ];
  const [head = '', row = ''] = fixture('cur.csv').toString().split('\n');
  for (const type of types) {
    const written = row.replace(
      'USE1-openai.gpt-oss-120b-mantle-input-tokens-standard',
      `"${type}"`,
    );
    const { lines } = await readFiles([`${head}\n${written}\n`]);
    const [, model, tokenType] = pattern.exec(type) ?? [];
    const expected = model === undefined ? [] : [{ model, tokenType }];
    expect(lines, JSON.stringify(type)).toMatchObject(expected);
    expect(lines).toHaveLength(expected.length);
  }
  // Each of so many places would be tried with all of the text after it.
  const long = row.replace(/USE1-[^,]+/, `"${'-mantle-a'.repeat(100_000)}\n"`);
  expect(await readFiles([`${head}\n${long}\n`])).toMatchObject({ lines: [], skipped: 1 });
});

const tables = {
  'many rows': ['a,b\n'.repeat(2_000)],
  'a row of many quoted cells': [`${'"a",'.repeat(2_000)}"a"\n`],
  'a quoted cell of many lines': [`"${'a""\n'.repeat(2_000)}"\n`],
  'a quoted cell in many pieces': ['"', ...Array.from({ length: 1_000 }, () => '""a\n,'), '"\n'],
  'a row in many pieces': [...Array.from({ length: 1_000 }, () => 'a,b,'), '\n'],
};

test.each(Object.entries(tables))('characters are passed a few times: %s', async (_, pieces) => {
  async function* chunks() {
    yield* pieces;
  }
  const { indexOf } = String.prototype;
  let steps = 0;
  vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, part, from = 0) {
    const position = indexOf.call(this, part, from);
    steps += (position === -1 ? this.length : position) - from;
    return position;
  });
  let characters = 0;
  for await (const { fields } of csvRows('file', chunks())) characters += fields.join().length;
  vi.restoreAllMocks();
  const length = pieces.join('').length;
  expect(characters).toBeGreaterThan(length / 4);
  expect(steps).toBeLessThanOrEqual(6 * length);
});

test('a doubled quote is one, in any context', async () => {
  const rows = await rowsOf('"é""😀""","""",""\n');
  expect(rows).toEqual([['é"😀"', '"', '']]);
});

test('empty lines wait for nothing', async () => {
  let promises = 0;
  const init = (_: number, type: string) => {
    if (type === 'PROMISE') promises += 1;
  };
  const asyncHook = createHook({ init }).enable();
  const rows = await rowsOf('\r\n'.repeat(10_000));
  asyncHook.disable();
  expect(rows).toEqual([]);
  expect(promises).toBeLessThan(100);
});

test('no function is called for each value of a page', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  await readFiles([openaiCosts('1')]);
  const revivers = parse.mock.calls.filter(([, reviver]) => reviver !== undefined);
  expect(parse).toHaveBeenCalled();
  expect(revivers).toEqual([]);
});

async function rowsOf(text: string): Promise<readonly (readonly string[])[]> {
  async function* chunks() {
    yield text;
  }
  const rows: (readonly string[])[] = [];
  for await (const { fields } of csvRows('file', chunks())) rows.push(fields);
  return rows;
}
