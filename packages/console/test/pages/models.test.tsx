import { expect, test } from 'vitest';
import { apps, noApps } from '../documents/apps.ts';
import { models, modelsCheck, modelsChecked, noModels } from '../documents/models.ts';
import { noSpend, spend } from '../documents/spend.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/models';
const documents = () => ({
  '/models': { body: models },
  '/models/check': { body: modelsCheck },
  '/apps': { body: apps },
  '/spend': { body: spend },
});

test('Models has prices, their sources, their users and their cost', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Models')).toEqual([
      {
        ...{ Model: 'gpt-next No price', 'Served by': 'openai', Input: '–', Cached: '–' },
        ...{
          'Cache write': '–',
          Output: '–',
          'Price source': '–',
          Apps: '1',
          'Cost, 30 days': '$0.00',
        },
      },
      {
        ...{ Model: 'gpt-5.4', 'Served by': 'openai: gpt-5.4-2026', Input: '$2.50' },
        ...{ Cached: '$0.25', 'Cache write': '$3.00', Output: 'in $2.50 , out $10.00' },
        ...{
          'Price source': 'prices.example, Nov 1, 2026',
          Apps: 'All',
          'Cost, 30 days': '$75.00',
        },
      },
      {
        ...{ Model: 'best', 'Served by': 'in this order: gpt-5.4, claude-opus', Input: '–' },
        ...{ Cached: '–', 'Cache write': '–', Output: '–', 'Price source': 'the file' },
        ...{ Apps: '1', 'Cost, 30 days': '$0.00' },
      },
    ]),
  );
  expect(page.content()).toContain('1 callable model has no price.');
  expect(page.content()).toContain('1 price has no source.');
  expect(page.content()).toContain('Cost, 30 days $75.00');
  expect(page.link('gpt-5.4')).toBe('/console/calls?model=gpt-5.4&since=2026-10-24T00%3A00%3A00Z');
  expect(page.link('prices.example')).toBe('https://prices.example/openai');
  expect(page.heading()).toBe('Models');
  expect(page.alerts()).toEqual([]);
});

test('the check of the price list has each finding with its reason', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Findings in the price list')).toHaveLength(6));
  const rows = page
    .table('Findings in the price list')
    ?.map((row) => Object.values(row).join(' | '));
  expect(rows).toEqual([
    'gpt-next | No price | openai | Used by tutor',
    'gpt-3 | Retired | openai | Retired by its vendor on 2026-10-01',
    'gpt-4 | Retires soon | openai | Retires on 2026-12-01',
    'gpt-5.4 | Differs from built-in | openai | output $12 (built-in: $10)',
    'gpt-5.5 | No price for tier | openai | flex; calls use the standard tier',
    'gpt-5 | Old price | openai | Read on 2026-01-31, more than 180 days ago',
  ]);
});

test('models are sorted by their cost, and models without a price stay first', async () => {
  const page = openPage(`${address}?sort=model`, documents());
  const named = () => page.table('Models')?.map((row) => row.Model);
  await waitFor(() => expect(named()).toEqual(['gpt-next No price', 'best', 'gpt-5.4']));
  await page.click('Cost, 30 days');
  await waitFor(() => expect(named()).toEqual(['gpt-next No price', 'gpt-5.4', 'best']));
  expect(page.address()).toBe('/console/models?sort=-cost');
});

test('the models of one platform have their own total', async () => {
  const page = openPage(`${address}?platform=alias`, documents());
  await waitFor(() => expect(page.table('Models')?.map(({ Model }) => Model)).toEqual(['best']));
  expect(document.querySelector('tfoot')?.textContent).toBe('Total$0.00');
});

test('Models without a model shows how to add one', async () => {
  const page = openPage(address, {
    '/models': { body: noModels },
    '/models/check': { body: modelsChecked },
    '/apps': { body: noApps },
    '/spend': { body: noSpend },
  });
  const text = 'No models Add models or a platform to the configuration file.';
  await waitFor(() => expect(page.content()).toContain(text));
  await waitFor(() => expect(page.content()).toContain('No findings'));
  expect(page.content()).not.toContain('can be called.');
});

test('models that simulate failures are shown only on request', async () => {
  const [model] = models.items;
  const broken = { ...model, id: 'sim-throttled', isForTests: true };
  const page = openPage(address, {
    ...documents(),
    '/models': { body: { items: [model, broken] } },
  });
  const named = () => page.table('Models')?.map((row) => row.Model);
  await waitFor(() => expect(named()).toEqual(['gpt-5.4']));
  await page.click('Show test models');
  await waitFor(() => expect(named()).toEqual(['gpt-5.4', 'sim-throttled']));
});

test('unreadable apps are pointed out, and the prices are shown', async () => {
  const { '/apps': _, ...others } = documents();
  const page = openPage(address, others);
  await waitFor(() => expect(page.alerts()).toEqual(['The test has no answer to /apps Try again']));
  await waitFor(() =>
    expect(page.table('Models')?.[0]).toMatchObject({ Model: 'gpt-next No price', Apps: '–' }),
  );
});

test.each(failures)('Models shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Models')?.[1]).toMatchObject({ Apps: 'All', 'Cost, 30 days': '$75.00' });
});
