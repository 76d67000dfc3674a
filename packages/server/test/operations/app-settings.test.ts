import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppSettings } from '../../src/domain/app.ts';
import {
  defaultSettings,
  differences,
  liveSettings,
  settingTexts,
} from '../../src/operations/apps/app-settings.ts';
import { appRow, createApp, findApp, updateApp } from '../../src/operations/apps/apps.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn } from '../store/support/books.ts';

/** Each setting with a value that no new app has. */
const unusual: AppSettings = {
  enabled: false,
  dailyBudgetPicoUsd: 5n,
  monthlyBudgetPicoUsd: 50n,
  perUserDailyPicoUsd: 2n,
  models: ['a', 'b'],
  credits: { monthlyGrantPicoUsd: 1000n, picoUsdPerCredit: 10n },
  unpriced: 'refuse',
  streaming: false,
  defaultMaxTokens: 7,
  storeAnswers: false,
  adoptRetries: true,
  project: 'a-project',
  plans: { user: { ratePerSecond: 1, burst: 2, requestsPerDay: 3 } },
  ratePerSecond: 0.5,
  keysMax: 3,
  tags: { team: 'Search & Co', 'cost-centre': '4711' },
};

let store: Store;
beforeEach(async () => {
  store = await openDirectStore(':memory:');
});
afterEach(() => store.close());

test('every setting is stored and read again, of a new app and of a changed one', async () => {
  const admin = adminOn(store);
  await createApp(admin, 'made', unusual);
  expect(liveSettings(await appRow(admin, 'made'))).toEqual(unusual);
  await createApp(admin, 'changed', {});
  const { project: _made, ...initial } = liveSettings(await appRow(admin, 'changed'));
  expect({ ...initial, project: undefined }).toEqual(defaultSettings);
  await updateApp(admin, 'changed', { ...unusual, project: 'another' });
  expect(liveSettings(await appRow(admin, 'changed'))).toEqual({ ...unusual, project: 'another' });
});

test('programs get an app in this form', async () => {
  const admin = adminOn(store);
  await createApp(admin, 'search', unusual);
  expect(JSON.stringify(await findApp(admin, 'search'))).toBe(
    '{"name":"search","enabled":false,"dailyBudgetUsd":"0.000000000005",' +
      '"monthlyBudgetUsd":"0.00000000005","perUserDailyUsd":"0.000000000002","models":["a","b"],' +
      '"credits":{"monthlyGrant":"100","usdPerCredit":"0.00000000001"},"requirePriced":true,' +
      '"unpriced":"refuse","streaming":false,"defaultMaxTokens":7,"storeAnswers":false,' +
      '"adoptRetries":true,"project":"a-project",' +
      '"plans":{"user":{"ratePerSecond":1,"burst":2,"requestsPerDay":3}},' +
      '"ratePerSecond":0.5,"keysMax":3,' +
      '"tags":{"team":"Search & Co","cost-centre":"4711"},"origin":"command"}',
  );
});

test('every setting is compared with the file, under its name in the file', async () => {
  const admin = adminOn(store);
  await createApp(admin, 'search', {});
  const names = [...settingTexts(unusual).keys()];
  const different = differences(await appRow(admin, 'search'), unusual);
  expect(different.map(({ setting }) => setting)).toEqual(names);
  expect(Object.keys(await findApp(admin, 'search'))).toEqual(expect.arrayContaining(names));
});
