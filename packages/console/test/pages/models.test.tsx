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

test('Models has prices, their sources, who may use them and their cost', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Models')).toEqual([
      {
        ...{ Model: 'gpt-5.4', Platform: 'openai: gpt-5.4-2026', Input: '2.5', Cached: '0.25' },
        ...{ 'Cache write': '3', Output: '10', Source: 'prices.example', 'Used by': 'all apps' },
        '30 days': '$75.00',
      },
      {
        ...{ Model: 'gpt-next', Platform: 'openai: gpt-next', Input: 'no price', Cached: '–' },
        ...{ 'Cache write': '–', Output: '–', Source: '–', 'Used by': 'tutor', '30 days': '–' },
      },
      {
        ...{ Model: 'best', Platform: 'in order: gpt-5.4, claude-opus', Input: 'no price' },
        ...{ Cached: '–', 'Cache write': '–', Output: '–', Source: 'the file' },
        ...{ 'Used by': 'tutor', '30 days': '–' },
      },
    ]),
  );
  await waitFor(() =>
    expect(page.content()).toContain('Problem: 1 models without a price can be called'),
  );
  expect(page.content()).toContain('gpt-next on openai: tutor');
  expect(page.content()).toContain('1 prices do not say where they were read.');
  expect(page.content()).toContain('gpt-3 on openai: since 2026-10-01');
  expect(page.content()).toContain('gpt-4 on openai: ends on 2026-12-01');
  expect(page.content()).toContain('gpt-5 on openai: read on 2026-01-31');
  expect(page.content()).toContain('gpt-5.4 on openai: output 12 (shipped: 10)');
  expect(page.content()).toContain('gpt-5.5 on openai: no price in the tier flex');
  expect(page.link('gpt-5.4')).toBe('/console/calls?model=gpt-5.4&since=2026-10-24T00%3A00%3A00Z');
  expect(page.link('prices.example')).toBe('https://prices.example/openai');
  expect(page.heading()).toBe('Models');
  expect(page.alerts()).toEqual([]);
});

test('Models without a model says where models come from', async () => {
  const page = openPage(address, {
    '/models': { body: noModels },
    '/models/check': { body: modelsChecked },
    '/apps': { body: noApps },
    '/spend': { body: noSpend },
  });
  const text = 'No model. Those that the configuration names or a platform offers are here.';
  await waitFor(() => expect(page.content()).toContain(text));
  for (const heading of [
    'without a price',
    'Retired models',
    'ends within',
    'differ from',
    'standard tier',
  ])
    expect(page.content()).not.toContain(heading);
});

test('models that play failures are shown only on request', async () => {
  const [model] = models.items;
  const broken = { ...model, id: 'sim-throttled', isForTests: true };
  const page = openPage(address, {
    ...documents(),
    '/models': { body: { items: [model, broken] } },
  });
  const named = () => page.table('Models')?.map((row) => row.Model);
  await waitFor(() => expect(named()).toEqual(['gpt-5.4']));
  await page.toggle('Show models that play failures');
  await waitFor(() => expect(named()).toEqual(['gpt-5.4', 'sim-throttled']));
});

test('apps that cannot be read are pointed out, and the prices are shown', async () => {
  const { '/apps': _, ...others } = documents();
  const page = openPage(address, others);
  await waitFor(() => expect(page.alerts()).toEqual(['The test has no answer to /apps Try again']));
  await waitFor(() =>
    expect(page.table('Models')?.[0]).toMatchObject({ Input: '2.5', 'Used by': '–' }),
  );
});

test.each(failures)('Models shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Models')?.[0]).toMatchObject({ 'Used by': 'all apps', '30 days': '$75.00' });
});
