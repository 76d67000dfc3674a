import type { ListedKey } from '@model-gateway/server/operations/documents';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  disabledKey,
  key,
  keyCounts,
  keyDisabled,
  keyIssued,
  keys,
  nextKey,
  noKeys,
  oldKey,
} from '../documents/keys.ts';
import { team, viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/keys';
const documents = (items: readonly ListedKey[] = keys.items, counts = keyCounts) => ({
  '/keys': { body: { items, after: null, first: 1, count: items.length } },
  '/key-counts': { body: counts },
});
const first = 'key_1 the crawler';

test('Keys has each key, with its use and its spending of today', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Keys')).toMatchObject([
      {
        ...{ Key: first, App: 'search', State: 'Active', Contact: 'ada' },
        ...{ 'Last used (UTC)': 'Nov 22, 14:59:00', 'Calls today': '24,001 calls' },
        'Spent today': '$47.00',
      },
      {
        ...{ Key: 'key_2', App: 'tutor', State: 'Disabled', Contact: 'bob' },
        ...{ 'Last used (UTC)': 'never', 'Calls today': 'too many to count calls' },
        'Spent today': '–',
      },
    ]),
  );
  expect(page.heading()).toBe('Keys');
  expect(page.link('key_1')).toBe('/console/calls?key=key_1');
  expect(page.link('24,001')).toBe('/console/calls?key=key_1&since=2026-11-22T00%3A00%3A00Z');
  expect(page.link('tutor')).toBe('/console/apps/tutor');
  expect(page.alerts()).toEqual([]);
});

test('the menu of a key leads to its calls, its failed calls and its changes', async () => {
  const page = openPage(address, documents([key]));
  await waitFor(() => expect(page.table('Keys')).toHaveLength(1));
  expect(page.link('Show calls')).toBe('/console/calls?key=key_1');
  expect(page.link('Show failed calls')).toBe('/console/calls?key=key_1&failed=true');
  expect(page.link('Show changes')).toBe('/console/activity?subject=key_1');
  expect(page.link('Rotate…')).toBe('/console/keys/key_1/rotate');
});

test('an open rotation has its alert, and is continued from it', async () => {
  const old = { ...oldKey, expiresAt: '2026-11-22T15:52:30.000Z', lastUsedAt: key.lastUsedAt };
  const openRotations = { count: 1, first: [{ ...old, app: 'search' }] };
  const page = openPage(address, documents([nextKey, old], { ...keyCounts, openRotations }));
  await waitFor(() =>
    expect(page.table('Keys')).toMatchObject([
      { Key: 'key_3 the crawler', State: 'Active, new' },
      { Key: first, State: 'Replaced, 52 min left' },
    ]),
  );
  expect(page.content()).toContain(
    '1 key rotation is not finished. Key key_1 of search was last used',
  );
  expect(page.content()).toContain('and stops working Nov 22, 15:52:30 UTC.');
  expect(page.link('Continue')).toBe('/console/keys/key_1/rotate');
});

test('many open rotations are counted, and three are named', async () => {
  const first = [1, 2, 3].map((at) => {
    return { id: `k${at}`, app: 'search', lastUsedAt: null, expiresAt: null };
  });
  const counts = { ...keyCounts, openRotations: { count: 1_200, first } };
  const page = openPage(address, documents(undefined, counts));
  await waitFor(() => expect(page.content()).toContain('1,200 key rotations are not finished.'));
  expect(page.content()).toContain('Key k3 of search was never used and works until you');
  expect(page.link('Show all')).toBe('/console/keys?state=rotating');
});

test('the service sorts the keys by a column of the table', async () => {
  const page = openPage(address, {
    ...documents(),
    '/keys?limit=50&sort=spent': { body: { items: [disabledKey, key], after: null } },
    '/keys?limit=50&sort=-contact': { body: { items: [key], after: null } },
  });
  await page.click('Spent today');
  await waitFor(() => expect(page.table('Keys')?.[0]).toMatchObject({ Key: 'key_2' }));
  expect(page.address()).toBe('/console/keys?sort=spent');
  await page.click('Contact');
  await waitFor(() => expect(page.table('Keys')).toHaveLength(1));
  expect(page.address()).toBe('/console/keys?sort=-contact');
});

test('the shown keys are exported, exact and in their order', async () => {
  const page = openPage(`${address}?find=crawler`, documents([key]));
  const files: Blob[] = [];
  const made = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:keys';
  });
  onTestFinished(() => made.mockRestore());
  await page.click('Export CSV');
  expect(await files[0]?.text()).toBe(
    'key,app,state,contact,note,role,created,expires,last used,calls today,spent today USD\r\n' +
      'key_1,search,active,ada@acme.example,the crawler,user,2026-10-01T08:00:00.000Z,,' +
      '2026-11-22T14:59:00.000Z,24001,47.009\r\n',
  );
});

test.each<[Partial<ListedKey>, string]>([
  [{ expiresAt: '2026-11-25T15:00:00.000Z' }, 'Active, 3 days left'],
  [{ expiresAt: '2026-11-22T14:00:00.000Z', state: 'expired' }, 'Expired'],
  [{ expiresAt: '2027-11-25T15:00:00.000Z' }, 'Active'],
  [{ lastUsedAt: null }, 'Active, never used'],
])('a key with %j is shown as %s', async (more, state) => {
  const page = openPage(address, documents([{ ...key, ...more }]));
  await waitFor(() => expect(page.table('Keys')).toMatchObject([{ State: state }]));
});

test('a filter shows the matching keys, and stays in the address', async () => {
  const page = openPage(address, {
    ...documents(),
    '/keys?limit=50&state=disabled': { body: { items: [disabledKey], after: null } },
    '/keys?limit=50&find=CRAWLER': { body: { items: [key], after: null } },
    '/keys?limit=50&used=never': { body: { items: [disabledKey], after: null } },
    '/keys?limit=50&app=tutor': { body: { items: [disabledKey], after: null } },
  });
  await page.click('Disabled 1');
  await waitFor(() => expect(page.table('Keys')).toMatchObject([{ Key: 'key_2' }]));
  expect(page.address()).toBe('/console/keys?state=disabled');
  await page.click('All 2');
  await page.fill('Id, note or contact', 'CRAWLER');
  await waitFor(() => expect(page.table('Keys')).toMatchObject([{ Key: first }]));
  expect(page.address()).toBe('/console/keys?find=CRAWLER');
  await page.fill('Id, note or contact', '');
  await page.pick('Last used');
  await page.click('never');
  await waitFor(() => expect(page.table('Keys')).toMatchObject([{ Key: 'key_2' }]));
  expect(page.address()).toBe('/console/keys?used=never');
  await page.click('Clear');
  await page.pick('App');
  await page.click('tutor 1');
  await waitFor(() => expect(page.address()).toBe('/console/keys?app=tutor'));
  await waitFor(() => expect(page.table('Keys')).toHaveLength(1));
});

test('a page of many keys leads to the next and the one before', async () => {
  const pageOf = (id: string, more: object) => ({
    body: { items: [{ ...key, id }], count: 120, ...more },
  });
  const page = openPage(address, {
    ...documents(),
    '/keys?limit=50': pageOf('k1', { first: 1, before: null, after: 'k50' }),
    '/keys?limit=50&after=k50': pageOf('k51', { first: 51, before: '', after: 'k100' }),
    '/keys?limit=50&after=k100': pageOf('k101', { first: 101, before: 'k50', after: null }),
  });
  await waitFor(() => expect(page.content()).toContain('120 keys'));
  expect(page.has('Previous')).toBe(false);
  await page.click('Next');
  await waitFor(() => expect(page.content()).toContain('51–51 of 120'));
  expect(page.address()).toBe('/console/keys?after=k50');
  await page.click('Next');
  await waitFor(() => expect(page.table('Keys')).toMatchObject([{ Key: 'k101 the crawler' }]));
  expect(page.has('Next')).toBe(false);
  await page.click('Previous');
  await waitFor(() => expect(page.content()).toContain('51–51 of 120'));
  await page.click('Previous');
  await waitFor(() => expect(page.address()).toBe('/console/keys'));
});

test('a key is disabled after the name of its app is typed', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /keys/key_1/disable': { body: keyDisabled },
  });
  await page.click('Disable…', first);
  await page.fill('Reason', 'it leaked');
  expect(page.has('Disable key')).toBe(true);
  await page.fill('Type search to confirm', 'search');
  await page.click('Disable key');
  await waitFor(() => expect(page.has('Disable key')).toBe(false));
  expect(page.sent()).toEqual([['POST /keys/key_1/disable', { reason: 'it leaked' }]]);
  await waitFor(() => expect(page.text()).toContain('Disabled key key_1'));
});

test('a key is issued for the given app', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /apps/search/keys': { body: keyIssued },
  });
  await page.click('Issue key');
  await page.fill('App', 'search');
  await page.fill('Owner email', 'ada@acme.example');
  await page.fill('Reason', 'a new script');
  await page.click('Issue');
  await waitFor(() => expect(page.text()).toContain('The key: mgk_the_secret'));
  expect(page.sent()).toEqual([
    ['POST /apps/search/keys', { email: 'ada@acme.example', reason: 'a new script' }],
  ]);
});

test('a team can enable only keys that a team has disabled', async () => {
  const { disabledBy: _actor, disabledRole: _role, ...nobody } = disabledKey;
  const items = [
    disabledKey,
    { ...nobody, id: 'key_4' },
    { ...disabledKey, disabledBy: 'console:bob', disabledRole: 'team', id: 'key_5' },
  ];
  const page = openPage(address, documents(items), { session: team });
  await waitFor(() => expect(page.table('Keys')).toHaveLength(3));
  const offered = ['key_2', 'key_4', 'key_5'].map((id) => page.has('Enable…', id));
  expect(offered).toEqual([false, false, true]);
  const titles = [...document.querySelectorAll<HTMLElement>('.badge')].map(({ title }) => title);
  expect(titles).toEqual([
    'Disabled by cli:ann (operator); only an operator can enable it',
    'Disabled; only an operator can enable it',
    'Disabled by console:bob (team)',
  ]);
});

test('a viewer is offered no change', async () => {
  const page = openPage(address, documents(), { session: viewer });
  await waitFor(() => expect(page.table('Keys')).toHaveLength(2));
  expect(page.has('Disable…', first)).toBe(false);
  expect(page.has('Rotate…', first)).toBe(false);
  expect(page.has('Issue key')).toBe(false);
});

test('Keys without a key shows how to create one', async () => {
  const page = openPage(address, { ...documents(), '/keys': { body: noKeys } });
  await waitFor(() => expect(page.content()).toContain('No keys Issue a key for an app.'));
});

test.each(failures)('Keys shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Keys')).toHaveLength(2);
});
