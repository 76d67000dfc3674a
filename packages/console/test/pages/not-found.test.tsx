import { expect, test } from 'vitest';
import { overview } from '../documents/overview.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

test('an address without a page has a message, and links to the pages', async () => {
  const page = openPage('/console/nothing/here', { '/overview': { body: overview } });
  await waitFor(() => expect(page.heading()).toBe('Page not found'));
  expect(page.alerts()).toEqual([]);
  await page.click('Today');
  await waitFor(() => expect(page.heading()).toBe('Today'));
});
