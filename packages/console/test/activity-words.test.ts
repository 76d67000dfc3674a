import { expect, test } from 'vitest';
import { changesText } from '../src/parts/changed.tsx';
import { actionText, deedOf, pageOf } from '../src/text/audit-words.ts';

const line = (action: string, before: string | null, after: string | null) => ({
  ...{ action, before, after },
});

test.each([
  [
    line(
      'app.update',
      '{"dailyBudgetUsd":"20","enabled":true}',
      '{"dailyBudgetUsd":"50.5","enabled":false}',
    ),
    'Daily budget $20.00 → $50.50; enabled yes → no',
  ],
  [
    line(
      'app.update',
      '{"models":null,"dailyBudgetUsd":null}',
      '{"models":["a","b"],"dailyBudgetUsd":"5"}',
    ),
    'Models all → a, b; daily budget none → $5.00',
  ],
  [line('app.create', null, '{"dailyBudgetPicoUsd":"10000000000"}'), 'Daily budget $0.01'],
  [
    line(
      'app.create',
      null,
      '{"credits":{"monthlyGrantPicoUsd":"5000000000000","picoUsdPerCredit":"1000000000"}}',
    ),
    'Monthly credit value $5.00; credit price $0.001',
  ],
  [
    line('budget.set', '{"capUsd":"1","mode":"shadow"}', '{"capUsd":"1","mode":"enforce"}'),
    'When used up shadow → rejects calls',
  ],
  [line('call.correct', '0.00006075', '0.00005'), '$0.00006075 → $0.00005'],
  [line('wallet.top-up', '10', '20'), '10 → 20'],
  [line('key.expire', null, '2026-12-31T18:00:00.000Z'), '2026-12-31 18:00 UTC'],
  [line('key.disable', 'llm::user::search::ada', null), 'llm::user::search::ada'],
  [line('app.update', '{broken', '{broken'), ''],
])('%j is shown as %s', (of, text) => {
  expect(changesText(of)).toBe(text);
  expect(changesText(of).toLowerCase()).not.toContain('pico');
});

test('an action is a sentence, even if the console does not contain it', () => {
  expect(deedOf('key.disable')).toBe('Disabled key');
  expect(deedOf('moon.land-on')).toBe('moon land on:');
  expect(actionText('app.cap-today')).toBe("Changed today's budget");
  expect(actionText('console.login')).toBe('Logged in');
});

test.each([
  ['app.update', 'a b', '/console/apps/a%20b'],
  ['key.disable', 'k1', '/console/keys?find=k1'],
  ['call.correct', 'call_1', '/console/calls/call_1'],
  ['wallet.top-up', 'tutor/ada', '/console/apps/tutor?user=ada'],
  ['price.set', 'gpt', '/console/models'],
  ['user.erase', 'tutor/ada', undefined],
])('the subject of %s, %s, is on %s', (action, subject, page) => {
  expect(pageOf(action, subject)).toBe(page);
});
