import { expect, test } from 'vitest';
import { focusLines } from '../../src/reports/focus.ts';
import { noSums } from '../../src/reports/report.ts';

const platforms = [
  { name: 'openai-eu', kind: 'openai' },
  { name: 'openai-us', kind: 'openai' },
  { name: 'claude', kind: 'anthropic' },
  { name: 'aws', kind: 'bedrock-mantle' },
  { name: 'workers', kind: 'openai-compatible' },
];
const sums = { ...noSums, inputTokens: 20, outputTokens: 3, cost: 5_000_000n };

async function rowsOf(names: readonly (readonly [platform: string, model: string])[]) {
  const rows = names.map(([platform, model]) => ({
    names: ['2026-10-31', 'search', '', platform, model],
    sums,
  }));
  const parts = { company: 'acme', tagsOf: () => ({ team: '=a' }), platforms };
  const [head = '', ...lines] = await focusLines(rows, parts);
  const columns = head.trimEnd().split(',');
  return lines.map((line) => {
    const cells = line
      .trimEnd()
      .replace(/"[^,]*"/, 'TAGS')
      .split(',');
    return Object.fromEntries(columns.map((name, at) => [name, cells[at]]));
  });
}

test('names the vendor by the kind of the platform, and the alias next to it', async () => {
  const names = [...platforms.map(({ name }) => name), 'gone'];
  const rows = await rowsOf(names.map((name) => [name, 'm']));
  const vendors = ['OpenAI', 'OpenAI', 'Anthropic', 'Amazon Web Services', 'workers', 'gone'];
  for (const column of ['ProviderName', 'PublisherName', 'InvoiceIssuerName', 'HostProviderName']) {
    expect(rows.map((row) => row[column])).toEqual(vendors);
  }
  expect(rows.map((row) => row.x_Platform)).toEqual(names);
  expect(rows[3]?.ServiceName).toBe('Amazon Bedrock');
});

test('leaves strings as they are: a join by them would find nothing else', async () => {
  const [workers, odd] = await rowsOf([
    ['workers', '@cf/meta/llama-3.1-8b-instruct'],
    ['workers', '=m'],
  ]);
  expect(workers?.SkuId).toBe('@cf/meta/llama-3.1-8b-instruct');
  expect(workers?.ChargeDescription).toBe('@cf/meta/llama-3.1-8b-instruct by search');
  expect(odd?.SkuId).toBe('=m');
});

test('has a quantity and a unit of the price', async () => {
  const [row] = await rowsOf([['claude', 'm']]);
  expect(row).toMatchObject({
    PricingQuantity: '23',
    ConsumedQuantity: '23',
    PricingUnit: 'Tokens',
  });
});
