import { expect, test } from 'vitest';
import { keyDisabled, keyIssued, keys, nextKey, noKeys, oldKey } from '../documents/keys.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/keys/key_1/rotate';
const documents = () => ({ '/keys': { body: keys } });
const rotated = { items: [nextKey, oldKey], after: null };

test('a rotation has both keys and their calls', async () => {
  const page = openPage(address, { '/keys': { body: rotated } });
  await waitFor(() =>
    expect(page.table('Usage of both keys')).toEqual([
      {
        ...{ Key: 'old key_1', 'Last used (UTC)': 'Nov 22, 14:59:00' },
        ...{ 'Calls today': '24,001 calls', 'Spent today': '$47.00' },
      },
      {
        ...{ Key: 'new key_3', 'Last used (UTC)': 'Nov 22, 14:50:00' },
        ...{ 'Calls today': '17 calls', 'Spent today': '$0.25' },
      },
    ]),
  );
  expect(page.heading()).toBe('Rotate key key_1');
  expect(page.content()).toContain('The new key is key_3. Switch your service to it.');
  expect(page.content()).toContain(
    'The old key was used in the last hour. If you disable it, these calls fail.',
  );
  expect(page.alerts()).toEqual([]);
});

test('a rotation reads only the keys of its key', async () => {
  const page = openPage(address, { '/keys': { body: rotated } });
  await waitFor(() => expect(page.table('Usage of both keys')).toHaveLength(2));
  const paths = page.asked.map(({ path }) => path).filter((path) => path.includes('/keys'));
  expect(new Set(paths)).toEqual(new Set(['/keys?key=key_1&limit=500']));
});

test('the new key is issued, and its secret stays until it is stored', async () => {
  const answers = { ...documents(), 'POST /keys/key_1/rotate': { body: keyIssued } };
  const page = openPage(address, answers);
  await waitFor(() => expect(page.content()).toContain('No new key exists yet.'));
  await page.click('Issue new key…');
  await page.fill('Reason', 'a year is over');
  answers['/keys'] = { body: rotated };
  await page.click('Issue key');
  await waitFor(() => expect(page.content()).toContain('The key: mgk_the_secret'));
  await waitFor(() => expect(page.table('Usage of both keys')).toHaveLength(2));
  expect(page.content()).toContain('mgk_the_secret');
  expect(page.sent()).toEqual([['POST /keys/key_1/rotate', { reason: 'a year is over' }]]);
  await page.click('I have saved it');
  await waitFor(() => expect(page.content()).toContain('The new key is key_3.'));
  expect(page.content()).not.toContain('mgk_the_secret');
});

test('the old key can get an end with its rotation', async () => {
  const answers = { ...documents(), 'POST /keys/key_1/rotate': { body: keyIssued } };
  const page = openPage(address, answers);
  await waitFor(() => expect(page.content()).toContain('No new key exists yet.'));
  await page.click('Issue new key…');
  await page.fill('Grace period of the old key, in minutes', '90');
  await page.fill('Reason', 'a year is over');
  await page.click('Issue key');
  await waitFor(() => expect(page.content()).toContain('The key: mgk_the_secret'));
  const sent = { reason: 'a year is over', graceMinutes: 90 };
  expect(page.sent()).toEqual([['POST /keys/key_1/rotate', sent]]);
});

test('the old key is disabled without a confirmation after it is unused', async () => {
  const silent = { ...oldKey, lastUsedAt: '2026-11-22T13:59:00.000Z' };
  const page = openPage(address, {
    '/keys': { body: { items: [silent, nextKey], after: null } },
    'POST /keys/key_1/disable': { body: keyDisabled },
  });
  await waitFor(() =>
    expect(page.content()).toContain('The old key was not used in the last hour.'),
  );
  await page.click('Disable old key…');
  await page.fill('Reason', 'it was replaced');
  expect(page.content()).not.toContain('to confirm');
  await page.click('Disable key');
  await waitFor(() => expect(page.has('Disable key')).toBe(false));
  expect(page.sent()).toEqual([['POST /keys/key_1/disable', { reason: 'it was replaced' }]]);
});

test('a missing key leads to the existing ones', async () => {
  const page = openPage(address, { '/keys': { body: noKeys } });
  const text = 'No key key_1 The key does not exist, or your role cannot view it. See Keys.';
  await waitFor(() => expect(page.content()).toContain(text));
  expect(page.link('Keys')).toBe('/console/keys');
});

test.each(failures)('a rotation shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Usage of both keys')).toHaveLength(1);
});
