import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { costReport, fixture, openaiCosts, readFiles } from './read.ts';

const csv = fixture('cur.csv').toString();

const refusals: Readonly<Record<string, readonly [string | Uint8Array, string]>> = {
  'no JSON': ['{"data":[', 'file 1: is incomplete or invalid JSON'],
  'a number as a name': ['{"data":[{1:2}]}', 'file 1: is incomplete or invalid JSON'],
  'more levels than a page has': [`{"data":${'['.repeat(64)}`, 'file 1: has more than 64 levels'],
  'a number of 401 digits': [openaiCosts('1'.repeat(401)), 'more than 400 characters'],
  'another document': ['{"object":"list"}', 'file 1: data is missing'],
  'unknown buckets': [
    '{"data":[{"day":"x"}]}',
    'is not an Anthropic cost report or a page of OpenAI costs',
  ],
  'another currency, Anthropic': [costReport({ currency: 'EUR' }), 'currency "EUR" is not USD'],
  'an amount that is a float': [
    costReport({ amount: [1] }),
    'amount ["1"] is not an amount in cents',
  ],
  'no workspace': [costReport({ workspace_id: undefined }), 'workspace_id missing is missing'],
  'a bucket of an hour': [
    costReport().replace('T00:00:00Z', 'T01:00:00Z'),
    'starting_at "2026-06-14T01:00:00Z" is not the start of a UTC day',
  ],
  'a bucket of a month': [
    costReport().replace('2026-06-15', '2026-07-14'),
    'ending_at "2026-07-14T00:00:00Z" does not end that day',
  ],
  'a next page without its name': [
    costReport({}, { has_more: true }),
    'next_page null is not a string although has_more is true',
  ],
  'another currency, OpenAI': [openaiCosts('1').replace('usd', 'eur'), 'amount.currency "eur"'],
  'no project': [openaiCosts('1', '"line_item":null'), 'project_id missing is missing'],
  'an amount beyond 64 bits': [openaiCosts('1e30'), 'amount.value "1e30" is not an amount in USD'],
  'an exponent that would fill the memory': [openaiCosts('1e999'), 'amount.value "1e999"'],
  'a half second': [openaiCosts('1').replace('1730419200', '1.5'), 'start_time "1.5"'],
  'an empty file': ['', 'file 1: is empty'],
  'a missing column': [csv.replace('pricing_unit', 'unit'), 'the column pricing_unit is missing'],
  'two currencies': [
    csv.replace('0.05280600,USD', '0.05280600,EUR'),
    'file 1, line 3: line_item_currency_code "EUR" is not USD',
  ],
  'a cost that is none': [csv.replace('0.0528', 'x.0528'), 'line_item_unblended_cost "x.05280600"'],
  'an amount of usage that is none': [csv.replace('88.01', '-'), 'line_item_usage_amount "-"'],
  'tags that are no JSON': [csv.replace('"{}"', 'app=x'), 'resource_tags "app=x" is not a JSON'],
  'a day that is none': [
    csv.replace('2026-11-20T13', '2026-13-20T13'),
    'usage_start_date "2026-13',
  ],
  'a row of another width': [`${csv}a,b\n`, 'line 5: has 2 fields, but the header has 10'],
  'a quote without an end': [`${csv}"a,b\n`, 'a quoted field has no closing quote'],
  'a row without an end': [csv + 'x'.repeat(1_100_000), 'is longer than 1048576 characters'],
  'half a gzip': [gzipSync(csv).subarray(0, 200), 'its gzip is damaged, or ends too early'],
  Parquet: ['PAR1....', 'is Parquet; set the export to text/csv, gzip'],
  'bytes that are no text': [Buffer.from([0x7b, 0xff, 0xfe]), 'file 1: is not UTF-8'],
};

test.for(Object.entries(refusals))('%s is rejected', async ([, [file, words]]) => {
  await expect(readFiles([file])).rejects.toThrow(words);
});

test('the same part twice is rejected', async () => {
  await expect(readFiles([csv, csv])).rejects.toThrow('file 2: has the same content as file 1');
});
