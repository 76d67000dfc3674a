import type { SessionDocument } from '@model-gateway/server/operations/documents';
import { expect, test } from 'vitest';
import { overview } from './documents/overview.ts';
import { operator } from './documents/session.ts';
import { openPage } from './support/page.ts';
import { waitFor } from './support/wait-for.ts';

const team: SessionDocument = { ...operator, role: 'team', apps: ['search'], may: ['look'] };
const documents = { '/overview': { body: overview } };

/** The titles of the groups, each with its pages. */
function navigation() {
  const [nav] = document.querySelectorAll('#nav nav');
  const titles = [...(nav?.querySelectorAll('h2') ?? [])];
  return titles.map((title) => {
    const links = [...(title.nextElementSibling?.querySelectorAll('a') ?? [])];
    return [title.textContent, ...links.map(({ href }) => new URL(href).pathname)];
  });
}

test('pages are in four groups, and Today says how many items need attention', async () => {
  openPage('/console/calls', documents);
  await waitFor(() =>
    expect(document.querySelector('#nav .count')?.textContent).toMatch(/^\d+ items need attention/),
  );
  expect(navigation()).toEqual([
    ['Monitor', '/console/', '/console/calls', '/console/health'],
    ['Money', '/console/spend', '/console/budgets', '/console/reconcile'],
    ['Manage', '/console/apps', '/console/keys', '/console/models'],
    ['Administer', '/console/access', '/console/activity'],
  ]);
  const here = document.querySelectorAll('#nav [aria-current=page]');
  expect([...here].map(({ textContent }) => textContent)).toEqual(['Calls']);
});

test('a login sees only the pages that it may open', async () => {
  openPage('/console/', documents, { session: team });
  await waitFor(() => expect(navigation()).toHaveLength(4));
  expect(navigation().flat()).not.toContain('/console/reconcile');
  expect(navigation().flat()).not.toContain('/console/access');
});

test('search offers pages at once, then the service’s results', async () => {
  const results = [{ kind: 'app', label: 'keystone', href: '/console/apps/keystone' }];
  const page = openPage('/console/', { ...documents, '/find': { body: { items: results } } });
  await page.click('Search');
  const options = () =>
    [...document.querySelectorAll('[role=option]')].map((one) => one.textContent);
  await waitFor(() => expect(options()).toHaveLength(11));
  await page.fill('App, key, user, page or id', 'key');
  await waitFor(() => expect(options()).toEqual(['KeysPage', 'keystoneApp']));
  await page.fill('App, key, user, page or id', 'nothing');
  await waitFor(() => expect(options()).toEqual(['keystoneApp']));
});
