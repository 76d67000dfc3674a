import { expect, test } from 'vitest';
import { disabledKey, keyDisabled, keys, noKeys } from '../documents/keys.ts';
import { team, viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/keys';
const documents = () => ({ '/keys': { body: keys } });

test('Keys has each key, its use and its spending of today', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Keys')).toEqual([
      {
        ...{ Key: 'key_1', App: 'search', For: 'ada@acme.example · the crawler', Role: 'user' },
        ...{ State: 'works', Made: '2026-10-01 08:00:00 UTC' },
        ...{ 'Last used': '2026-11-22 14:59:00 UTC', 'Calls today': '24,001' },
        ...{ 'Spent today': '$47.00', Change: 'Rotate… Disable…' },
      },
      {
        ...{ Key: 'key_2', App: 'tutor', For: 'bob@acme.example', Role: 'admin' },
        ...{ State: 'disabled by cli:ann (operator) until 2026-12-01 00:00:00 UTC' },
        Made: '2026-09-01 08:00:00 UTC',
        ...{ 'Last used': '–', 'Calls today': 'many', 'Spent today': '–', Change: 'Enable…' },
      },
    ]),
  );
  expect(page.heading()).toBe('Keys');
  expect(page.link('key_1')).toBe('/console/calls?key=key_1');
  expect(page.link('Rotate key key_1')).toBe('/console/keys/key_1/rotate');
  expect(page.link('tutor')).toBe('/console/apps/tutor');
  expect(page.alerts()).toEqual([]);
});

test('a filter leaves the keys that match, and stays in the address', async () => {
  const page = openPage(address, documents());
  await page.fill('State', 'disabled');
  await waitFor(() => expect(page.table('Keys')).toMatchObject([{ Key: 'key_2' }]));
  await page.fill('State', '');
  await page.fill('Id, app or person', 'ada');
  await waitFor(() => expect(page.table('Keys')).toMatchObject([{ Key: 'key_1' }]));
  expect(page.address()).toBe('/console/keys?find=ada');
});

test('a key is disabled once the name of its app is typed', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /keys/key_1/disable': { body: keyDisabled },
  });
  await page.click('Disable…', 'key_1');
  await page.fill('Reason', 'it leaked');
  expect(page.has('Disable the key')).toBe(true);
  await page.fill('Type search to confirm', 'search');
  await page.click('Disable the key');
  await waitFor(() => expect(page.has('Disable the key')).toBe(false));
  expect(page.sent()).toEqual([['POST /keys/key_1/disable', { reason: 'it leaked' }]]);
});

test('a team is offered to enable only what a team has disabled', async () => {
  const theirs = { disabledBy: 'console:bob', disabledRole: 'team' };
  const { disabledBy: _who, disabledRole: _role, ...nobody } = disabledKey;
  const items = [
    disabledKey,
    { ...nobody, id: 'key_4' },
    { ...disabledKey, ...theirs, id: 'key_5' },
  ];
  const page = openPage(address, { '/keys': { body: { items, after: null } } }, { who: team });
  const none = 'Only an operator can enable it';
  await waitFor(() =>
    expect(page.table('Keys')).toMatchObject([
      { Key: 'key_2', Change: none },
      { Key: 'key_4', State: 'disabled until 2026-12-01 00:00:00 UTC', Change: none },
      { Key: 'key_5', Change: 'Enable…' },
    ]),
  );
});

test('a viewer is offered no change', async () => {
  const page = openPage(address, documents(), { who: viewer });
  await waitFor(() => expect(page.table('Keys')).toHaveLength(2));
  expect(page.has('Disable…', 'key_1')).toBe(false);
  expect(page.has('Rotate key key_1')).toBe(false);
});

test('Keys without a key says how one comes', async () => {
  const page = openPage(address, { '/keys': { body: noKeys } });
  await waitFor(() => expect(page.content()).toContain('No key. One that is issued is here'));
  expect(page.content()).toContain('A key is issued on the page of its app');
});

test.each(failures)('Keys shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Keys')).toHaveLength(2);
});
