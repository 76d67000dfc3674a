import { expect, test } from 'vitest';
import { withVendors } from '../../src/operations/reports/focus.ts';
import { focusLines } from '../../src/reports/focus.ts';
import type { FocusCharge, Meter } from '../../src/reports/focus-charges.ts';
import { noSums } from '../../src/reports/report.ts';

const platforms = withVendors([
  { name: 'openai-eu', kind: 'openai' },
  { name: 'openai-us', kind: 'openai' },
  { name: 'claude', kind: 'anthropic' },
  { name: 'aws', kind: 'bedrock-mantle' },
  { name: 'workers', kind: 'openai-compatible' },
]);
const charge: FocusCharge = {
  ...{ day: '2026-10-31', month: '2026-10', app: 'search', project: '' },
  ...{ platform: 'claude', model: 'm', tags: { team: '=a' } },
  ...{ isCorrection: false, meter: undefined, cost: 5_000_000n, sums: noSums },
};
const output: Meter = {
  ...{ day: '2026-10-31', app: 'search', platform: 'claude', model: 'm', name: 'Output' },
  ...{ unit: 'Tokens', priceId: '0123:flex:us/output', details: { x_Tier: 'flex' } },
  ...{ unitPrice: 1_250_000n, quantity: 4n },
};

async function rowsOf(charges: readonly Partial<FocusCharge>[]) {
  const parts = { company: 'acme', platforms };
  const made = charges.map((some) => ({ ...charge, ...some }));
  const [head = '', ...lines] = await focusLines(made, parts);
  const columns = head.trimEnd().split(',');
  return lines.map((line) => {
    const cells = line
      .trimEnd()
      .replaceAll(/"[^,]*"/g, 'TAGS')
      .split(',');
    return Object.fromEntries(columns.map((name, at) => [name, cells[at]]));
  });
}

test('names the vendor by the kind of the platform, and the alias next to it', async () => {
  const names = [...platforms.map(({ name }) => name), 'gone'];
  const rows = await rowsOf(names.map((platform) => ({ platform })));
  const vendors = ['OpenAI', 'OpenAI', 'Anthropic', 'Amazon Web Services', 'workers', 'gone'];
  for (const column of ['ProviderName', 'PublisherName', 'InvoiceIssuerName', 'HostProviderName']) {
    expect(rows.map((row) => row[column])).toEqual(vendors);
  }
  expect(rows.map((row) => row.x_Platform)).toEqual(names);
  expect(rows[3]?.ServiceName).toBe('Amazon Bedrock');
});

test('leaves strings unchanged: a join by them would otherwise fail', async () => {
  const [workers, unexpected] = await rowsOf([
    { platform: 'workers', model: '@cf/meta/llama-3.1-8b-instruct' },
    { platform: 'workers', model: '=m' },
  ]);
  expect(workers?.SkuId).toBe('@cf/meta/llama-3.1-8b-instruct');
  expect(workers?.ChargeDescription).toBe('@cf/meta/llama-3.1-8b-instruct by search');
  expect(unexpected?.SkuId).toBe('=m');
});

test('has a quantity, its unit and the price of a unit, which give the cost', async () => {
  const [row] = await rowsOf([{ meter: output }]);
  expect(row).toMatchObject({
    ...{
      PricingQuantity: '4',
      ConsumedQuantity: '4',
      PricingUnit: 'Tokens',
      ConsumedUnit: 'Tokens',
    },
    ...{ ListUnitPrice: '0.00000125', ContractedUnitPrice: '0.00000125', BilledCost: '0.000005' },
    ...{ SkuMeter: 'Output', SkuPriceId: '0123:flex:us/output', PricingCategory: 'Standard' },
    ...{ ChargeCategory: 'Usage', ChargeClass: '', SkuPriceDetails: 'TAGS' },
  });
});

test('an amount without a price of a unit is an adjustment, and has none', async () => {
  const [row] = await rowsOf([{ cost: -5_000_000n }]);
  expect(row).toMatchObject({
    ...{ BilledCost: '-0.000005', ListCost: '-0.000005', ChargeCategory: 'Adjustment' },
    ...{ PricingQuantity: '', ConsumedUnit: '', ListUnitPrice: '', SkuPriceId: '' },
    SkuMeter: 'Adjustment',
  });
});

test('a correction is in the month of the correction, on the day of its calls', async () => {
  const [row] = await rowsOf([{ month: '2026-12', isCorrection: true }]);
  expect(row).toMatchObject({
    ...{ ChargeClass: 'Correction', ChargeCategory: 'Usage' },
    ...{ BillingPeriodStart: '2026-12-01T00:00:00Z', BillingPeriodEnd: '2027-01-01T00:00:00Z' },
    ...{ ChargePeriodStart: '2026-10-31T00:00:00Z', ChargePeriodEnd: '2026-11-01T00:00:00Z' },
  });
});

test('a name with commas, quotes and lines is one cell', async () => {
  const model = '=m,"x"\nof two lines';
  const [, line = ''] = await focusLines([{ ...charge, model }], { company: 'acme', platforms });
  expect(line).toContain(',"=m,""x""\nof two lines",');
});
