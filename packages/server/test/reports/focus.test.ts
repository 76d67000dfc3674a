import { expect, test } from 'vitest';
import { focusLines } from '../../src/reports/focus.ts';
import { noSums, type ReportRow } from '../../src/reports/report.ts';

const platforms = [
  { name: 'gpt-eu', kind: 'openai' },
  { name: 'gpt-us', kind: 'openai' },
  { name: 'claude', kind: 'anthropic' },
  { name: 'mantle', kind: 'bedrock-mantle' },
  { name: '@cf', kind: 'openai-compatible' },
] as const;

function row(platform: string, model: string): ReportRow {
  return { names: ['2026-11-21', 'search', 'proj_1', platform, model], sums: noSums };
}

async function cellsOf(rows: readonly ReportRow[]) {
  const lines = await focusLines(rows, { company: 'acme', tagsOf: () => ({}), platforms });
  const [head = [], ...found] = lines.map((line) => line.trimEnd().split(','));
  return found.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
}

test('two platforms of a vendor are one vendor, and keep their own names', async () => {
  const rows = [row('gpt-eu', 'a'), row('gpt-us', 'a'), row('claude', 'b'), row('mantle', 'c')];
  const found = await cellsOf([...rows, row('@cf', 'd'), row('gone', 'e')]);
  const vendors = found.map((each) => [each.ProviderName, each.ServiceName, each.x_Platform]);
  expect(vendors).toEqual([
    ['OpenAI', 'OpenAI API', 'gpt-eu'],
    ['OpenAI', 'OpenAI API', 'gpt-us'],
    ['Anthropic', 'Claude API', 'claude'],
    ['AWS', 'Amazon Bedrock', 'mantle'],
    ['@cf', '@cf', '@cf'],
    ['gone', 'gone', 'gone'],
  ]);
  for (const each of found) {
    expect(each.PublisherName).toBe(each.ProviderName);
    expect(each.InvoiceIssuerName).toBe(each.ProviderName);
  }
});

test.each(['@cf/meta/llama', '=m', '-m', '+m'])('the model id %s is not changed', async (model) => {
  const [found] = await cellsOf([row('gpt-eu', model)]);
  expect(found).toMatchObject({ SkuId: model, ChargeDescription: `${model} by search` });
});
