import { describe, expect, test } from 'vitest';
import { settled, walletOf } from '../streams/support/books.ts';
import { metered } from '../streams/support/house.ts';
import { routes } from './support/paid-routes.ts';
import { openPayingHouse } from './support/paying-house.ts';
import { startRaw } from './support/raw-caller.ts';

const house = openPayingHouse('sqlite');
/** As long as Claude Code's own id, which exceeds the limit of our ids. */
const metadata = { user_id: `user_${'0'.repeat(145)}` };
const telling = Object.entries(routes).filter(([, { canStream }]) => canStream);

describe.each(telling)('%s of a metered app', (_, route) => {
  const text = JSON.stringify({ ...route.body('Hello'), metadata });

  test('is paid by the user of the header, for any metadata', async () => {
    const { stack, newApp } = house();
    const app = await newApp(metered);
    const headers = { 'x-user-id': 'ada' };
    const caller = await startRaw(stack, app, route.path, { text, headers });
    await caller.untilEnd();
    expect(caller.status(), caller.text()).toBe(200);
    const [call] = await settled(stack, app);
    expect(call).toMatchObject({ userId: 'ada' });
    expect(call && walletOf(call)).toBe(call?.cost);
  });

  test.each([
    ['nobody could pay', metered],
    ['nobody could be held to a budget', { perUserDailyPicoUsd: 10n ** 12n }],
  ])('is rejected without the header, since %s', async (_why, settings) => {
    const { stack, newApp } = house();
    const app = await newApp(settings);
    const caller = await startRaw(stack, app, route.path, { text });
    await caller.untilEnd();
    expect(caller.status()).toBe(400);
    expect(caller.header('x-error-code')).toBe('USER_REQUIRED');
    expect(await settled(stack, app)).toEqual([]);
  });
});
