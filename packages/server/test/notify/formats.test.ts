import { readFileSync } from 'node:fs';
import type { JsonObject } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { type AlertType, alertTypes, webhookEvents } from '../../src/domain/notify.ts';
import { formatBody } from '../../src/notify/formats/format.ts';
import type { Alert } from '../../src/notify/formats/words.ts';

const at = Date.UTC(2026, 10, 23, 12, 30);

const budget = {
  ...{ scope: 'app-day', owner: 'the app search', span: 'day', period: '2026-11-23' },
  ...{ capUsd: '10', spentUsd: '7.9', heldUsd: '0.25', usedPercent: 81, mode: 'enforce' },
  resetsAt: '2026-11-24T00:00:00.000Z',
};
const user = { user: 'u_1', leftUsd: '0.5', grantedUsd: '10' };

/** One event of each type, as it is sent: the title, and the text below it. */
const told: Readonly<Record<AlertType, readonly [JsonObject, string, string]>> = {
  'budget.threshold': [
    { ...budget, percent: 80 },
    '80 % of the daily budget of the app search is used',
    '81 % of the daily budget of $10 (2026-11-23) of the app search is used: $7.9 spent and $0.25 reserved for running calls. The budget resets at 2026-11-24T00:00:00.000Z.',
  ],
  'budget.refused': [
    { ...budget, neededUsd: '2' },
    'The daily budget of the app search rejected a call',
    'A call with a maximum cost of $2 did not fit the daily budget of $10 (2026-11-23) of the app search: $7.9 spent and $0.25 reserved for running calls. Other calls that do not fit are also rejected. The budget resets at 2026-11-24T00:00:00.000Z.',
  ],
  'budget.forecast': [
    { ...budget, mode: 'shadow', usedUpAt: '2026-11-23T15:49:22.025Z' },
    'The daily budget of the app search is forecast to run out',
    '$7.9 of the daily budget of $10 (2026-11-23) of the app search is spent. At the current rate, the budget runs out at 2026-11-23T15:49:22.025Z. The budget resets at 2026-11-24T00:00:00.000Z. Shadow mode: no calls are rejected.',
  ],
  'budget.overrun': [
    { app: 'search', day: '2026-11-23', overrunUsd: '0.1', spentUsd: '7.9' },
    'App search spent more than reserved',
    'On 2026-11-23, calls of app search cost $0.1 more than reserved, of $7.9 spent. A platform billed more than the maximum cost of its calls.',
  ],
  'wallet.low': [
    { app: 'tutor', month: '2026-11', users: [user], resetsAt: '2026-12-01T00:00:00.000Z' },
    'Users of app tutor have little credit left',
    'These users have at most 10 % of their credits for 2026-11 left:\nu_1: $0.5 of $10\nWallets reset at 2026-12-01T00:00:00.000Z.',
  ],
  'platform.circuit_opened': [
    { platform: 'openai', model: 'gpt', since: '2026-11-23T12:30:00.000Z' },
    'Model gpt on openai keeps failing',
    'Since 2026-11-23T12:30:00.000Z, calls to model gpt are rejected or sent to the next model of their alias. One probe call is made every 5 s.',
  ],
  'platform.circuit_closed': [
    { platform: 'openai', model: 'gpt', since: '2026-11-23T12:30:00.000Z' },
    'Model gpt on openai recovered',
    'All replicas accept calls to model gpt again. It had been failing since 2026-11-23T12:30:00.000Z.',
  ],
  'platform.account': [
    { platform: 'up', model: 'gpt', reason: 'credit', status: 402, day: '2026-11-23' },
    "Platform up rejects the gateway's account",
    "On 2026-11-23, calls to platform up failed because of the gateway's own account (credit). Add credit or raise its spending limit. Run `platforms check` for its state.",
  ],
  'key.expiring': [
    { app: 'search', key: 'key_1', expiresAt: '2026-11-24T12:00:00Z', days: 1 },
    'An API key of app search is about to expire',
    'API key key_1 of app search expires at 2026-11-24T12:00:00Z. Rotate it or issue a new one.',
  ],
  'price.unknown': [
    { app: 'search', model: 'gpt-9', day: '2026-11-23', calls: 3 },
    'Model gpt-9 has no price',
    'On 2026-11-23, calls of app search to model gpt-9 had no price (so far 3). Add a price, then run `calls reprice`.',
  ],
  'price.mismatch': [
    { platform: 'up', field: 'usage.speed', reason: 'other-tier', day: '2026-11-23' },
    'Platform up reported usage that has no configured price',
    'On 2026-11-23, platform up reported usage.speed (other-tier) in its responses, which the price of the model does not cover. The costs of these calls are estimates. Compare the costs with the invoice, and correct the price or the costs.',
  ],
  'estimates.grow': [
    { app: 'search', day: '2026-11-23', spentUsd: '10', estimatedUsd: '1', percent: 10 },
    '10 % of the spending of app search is estimated',
    'On 2026-11-23, app search spent $10, of which $1 is estimated (10 %). Responses were cut off or had no token counts.',
  ],
  'invoice.drift': [
    {
      ...{ platform: 'openai', app: 'search', day: '2026-11-23' },
      ...{ invoiceUsd: '12', bookedUsd: '10', differenceUsd: '2' },
    },
    'The invoice of openai differs from the ledger',
    'openai bills $12 for search on 2026-11-23; the ledger has $10 (difference $2). Details by model: `reconcile show --day 2026-11-23`.',
  ],
  'budget.closed': [
    { restoredAt: '2026-11-23T09:00:00Z', count: 2, budgets: 'lab (day), lab (month)' },
    'Budgets were closed because the store was restored',
    'The store was restored at 2026-11-23T09:00:00Z and might lack calls that were billed. Closed budgets (2): lab (day), lab (month). To open every budget: `days reopen --all`; one: `budgets reopen NAME`; the wallets: `wallets reopen --all`.',
  ],
  'audit.breach': [
    { day: '2026-11-23', rules: 'I2, I16' },
    'The ledger audit found broken rules',
    'The audit of 2026-11-23 found broken rules: I2, I16. Keep a copy of the store. Run `audit` for details.',
  ],
  test: [{}, 'Model Gateway test', 'Webhook ops works. Alerts will appear here.'],
};

function alertOf(type: AlertType, data: JsonObject): Alert {
  const subject = type === 'test' ? 'ops' : 'app:search';
  return { id: 'evt_1', type, subject, period: '2026-11-23', mark: '', at, data };
}

/** Every text of a body that a person reads. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}

describe.each(alertTypes)('%s', (type) => {
  const [data, title, sentences] = told[type];
  const alert = alertOf(type, data);

  test('as Standard Webhooks requires', () => {
    const body = JSON.parse(formatBody(alert, 'standard'));
    expect(body).toEqual({ type, timestamp: '2026-11-23T12:30:00.000Z', data });
  });

  test('as a chat message', () => {
    const plain = sentences.replaceAll('`', '"');
    expect(JSON.parse(formatBody(alert, 'slack'))).toEqual({
      text: `${title}: ${sentences}`,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: plain, emoji: false } },
      ],
    });
    const teams = JSON.parse(formatBody(alert, 'teams'));
    expect(textsIn(teams)).toEqual([title, ...sentences.split('\n')]);
    expect(teams).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', version: '1.4' },
        },
      ],
    });
  });
});

const hostile = '<!channel> *x* &amp; [a](https://b)';

test('a name is never markup: Slack gets it escaped or plain, Teams as a text run', () => {
  const alert = alertOf('price.unknown', { app: 'search', model: hostile, day: 'd', calls: 1 });
  const slack = JSON.parse(formatBody(alert, 'slack'));
  expect(slack.text).toContain('&lt;!channel&gt; *x* &amp;amp;');
  expect(slack.text).not.toContain('<');
  expect(slack.blocks[1].text).toMatchObject({ type: 'plain_text' });
  expect(slack.blocks[1].text.text).toContain(hostile);
  const [card] = JSON.parse(formatBody(alert, 'teams')).attachments;
  for (const block of card.content.body) expect(block.type).toBe('RichTextBlock');
});

test('the longest digest is within the receivers’ limits, and a chat gets the first 20', () => {
  const users = Array.from({ length: 100 }, (_, index) => ({
    user: `u_${String(index).padStart(24, '0')}`,
    leftUsd: '9223372.036854775807',
    grantedUsd: '9223372.036854775807',
  }));
  const alert = alertOf('wallet.low', { app: 'a'.repeat(64), month: '2026-11', users });
  const [standard, slack, teams] = (['standard', 'slack', 'teams'] as const).map((format) =>
    formatBody(alert, format),
  );
  for (const body of [standard, slack, teams]) {
    expect(Buffer.byteLength(body ?? '')).toBeLessThanOrEqual(20_000);
  }
  expect(JSON.parse(standard ?? '').data.users).toHaveLength(100);
  const { blocks } = JSON.parse(slack ?? '');
  expect(blocks[1].text.text).toContain('and 80 more');
  expect(blocks[1].text.text.length).toBeLessThan(3_000);
});

test('an event with no fields, or unknown ones, is sent all the same', () => {
  for (const type of alertTypes) {
    const odd = alertOf(type, { users: [null, 1, ['x']], capUsd: { a: 1 } });
    for (const format of ['standard', 'slack', 'teams'] as const) {
      expect(() => JSON.parse(formatBody(odd, format))).not.toThrow();
    }
  }
});

test('docs/notify.md lists every type of event, with the fields of its data', () => {
  const document = readFileSync(new URL('../../../../docs/notify.md', import.meta.url), 'utf8');
  const rows = document.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|.*\| ([^|]*) \|$/gm);
  const listed = Array.from(rows, ([, type = '', fields = '']) => [
    type,
    Array.from(fields.matchAll(/`(\w+)`/g), ([, field]) => field).toSorted(),
  ]);
  const known = webhookEvents.map((type) => [type, Object.keys(told[type][0]).toSorted()]);
  expect(listed.toSorted()).toEqual(known.toSorted());
});
