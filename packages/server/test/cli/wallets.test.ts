import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

describe('a wallet', () => {
  test('of a new user has the full grant', async () => {
    expect(await desk.record(['wallets', 'show', 'tutor', 'ann'])).toEqual({
      userId: 'ann',
      period: expect.stringMatching(/^\d{4}-\d{2}$/),
      granted: '1000',
      toppedUp: '0',
      spent: '0',
      held: '0',
      available: '1000',
      resetsAt: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00\.000Z$/),
    });
  });

  test('of an unknown user is marked as such for people', async () => {
    const shown = async () =>
      (await desk.run(['wallets', 'show', 'tutor', 'kim', '--config', desk.file])).out.at(-1);
    const question = 'New user of tutor; check that the id is correct.';
    expect(await shown()).toBe(question);
    const topUp = ['wallets', 'top-up', 'tutor', 'kim', '1', '--config', desk.file];
    expect((await desk.run(topUp)).out.at(-1)).toBe(question);
    expect((await desk.run(topUp)).out.at(-1)).toMatch(/^resets /);
    expect(await shown()).toMatch(/^resets /);
  });

  test('is topped up once per reference, and exactly', async () => {
    const topUp = ['wallets', 'top-up', 'tutor', 'bob', '12.345678', '--reference', 'invoice-1'];
    expect(await desk.record(topUp)).toMatchObject({ toppedUp: '12.345678' });
    const again = { toppedUp: '12.345678', available: '1012.345678' };
    expect(await desk.record(topUp)).toMatchObject(again);
    const said = await desk.run([...topUp, '--config', desk.file]);
    expect(said).toMatchObject({
      code: 0,
      errors: [expect.stringContaining('Nothing changed: ')],
    });
    const other = await desk.run([...topUp.with(4, '13'), '--config', desk.file]);
    expect(other.code).toBe(1);
    expect(other.errors.join()).toContain(
      'reference invoice-1 was already used for a different amount',
    );
    expect(await desk.record(['wallets', 'show', 'tutor', 'bob'])).toMatchObject(again);
  });

  test('returns unspent top-up money, but not the grant', async () => {
    await desk.record(['wallets', 'top-up', 'tutor', 'eve', '10']);
    const debit = ['wallets', 'debit', 'tutor', 'eve'];
    expect(await desk.record([...debit, '4'])).toMatchObject({ toppedUp: '6', available: '1006' });
    const tooMuch = await desk.run([...debit, '6.000001', '--config', desk.file]);
    expect(tooMuch.code).toBe(1);
    expect(tooMuch.errors.join()).toContain('only 6 top-up credits are unspent');
    expect(await desk.record([...debit, '6'])).toMatchObject({ toppedUp: '0', available: '1000' });
  });
});

const badAmounts = ['0', '-1', 'NaN', '1e30', '', ' 1', '1,5', '0.0000001', '1'.repeat(40), '∞'];
const longId = 'u'.repeat(10_240);
const badUsers = ['', '.', '..', 'a/b', 'tab\there', 'nul\u0000', 'u'.repeat(129), longId];

describe('bad input changes nothing and has an instruction', () => {
  test.each(badAmounts)('an amount of %j', async (amount) => {
    const given = ['wallets', 'top-up', '--config', desk.file, '--', 'tutor', 'zoe', amount];
    const { code, errors, out } = await desk.run(given);
    expect(code).toBe(2);
    expect(out).toEqual([]);
    expect(errors.join()).toMatch(
      /number of credits|is no amount of credits|more than a wallet can hold/,
    );
  });

  test.each(badUsers)('a user id of %j', async (userId) => {
    const given = ['wallets', 'top-up', '--config', desk.file, '--', 'tutor', userId, '1'];
    const { code, errors } = await desk.run(given);
    expect(code).toBe(2);
    expect(errors.join()).toContain('must be 1–128 characters without "/" and control characters');
  });

  test('a total above the wallet’s limit is rejected with the amount that fits', async () => {
    // A credit is 0.01 USD, and a column holds up to 9223372.036854775807 USD.
    const topUp = ['wallets', 'top-up', 'tutor', 'max'];
    await desk.record([...topUp, '922337203']);
    const refused = await desk.run([...topUp, '1', '--config', desk.file]);
    expect(refused).toMatchObject({ code: 1, out: [] });
    expect(refused.errors).toEqual([
      '1 credits exceed the wallet limit of max; at most 0.6854775807 more can be added, counting everything it ever received',
    ]);
    const shown = await desk.record([...topUp, '0.685477']);
    expect(shown).toMatchObject({ toppedUp: '922337203.685477' });
  });

  test('a wallet that an earlier version let pay can be shown, and emptied', async () => {
    expect(await desk.record(['wallets', 'show', 'tutor', '..'])).toMatchObject({ userId: '..' });
    const debit = ['wallets', 'debit', 'tutor', '..', '1', '--config', desk.file];
    expect((await desk.run(debit)).errors.join()).toContain('only 0 top-up credits');
  });

  test('an app without credits, and an unknown app', async () => {
    for (const app of ['search', 'nobody']) {
      const { code, errors } = await desk.run([
        ...['wallets', 'top-up', app, 'ann', '1', '--config', desk.file],
      ]);
      expect(code).toBe(1);
      expect(errors.join()).toMatch(/does not meter credits|unknown app nobody/);
    }
  });

  test('none of this is in the ledger', async () => {
    expect(await desk.record(['wallets', 'show', 'tutor', 'zoe'])).toMatchObject({ toppedUp: '0' });
    expect(await desk.record(['audit'])).toMatchObject({ clean: true });
  });
});

test('a new value of a credit takes effect with the next month', async () => {
  await desk.record(['apps', 'update', 'tutor', '--usd-per-credit', '0.02']);
  const now = await desk.record(['wallets', 'top-up', 'tutor', 'ida', '1']);
  expect(now).toMatchObject({ granted: '1000', toppedUp: '1', available: '1001' });
  await desk.record(['apps', 'update', 'tutor', '--usd-per-credit', '0.01']);
});
