import { readFileSync } from 'node:fs';
import type { JsonObject } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { type AlertType, alertTypes, hookEvents } from '../../src/domain/notify.ts';
import { formatBody } from '../../src/notify/formats/format.ts';
import type { Alert } from '../../src/notify/formats/words.ts';

const at = Date.UTC(2026, 10, 23, 12, 30);

const budget = {
  ...{ scope: 'app-day', owner: 'the app search', span: 'day', period: '2026-11-23' },
  ...{ capUsd: '10', spentUsd: '7.9', heldUsd: '0.25', usedPercent: 81, mode: 'enforce' },
  resetsAt: '2026-11-24T00:00:00.000Z',
};
const user = { user: 'u_1', leftUsd: '0.5', grantedUsd: '10' };

/** One of each type, as it is told: the title, and the words below it. */
const told: Readonly<Record<AlertType, readonly [JsonObject, string, string]>> = {
  'budget.threshold': [
    { ...budget, percent: 80 },
    '80 % of the daily budget of the app search is used',
    'Of the daily budget of $10 (2026-11-23) of the app search 81 % is used: $7.9 spent and $0.25 held for running calls. It begins anew at 2026-11-24T00:00:00.000Z.',
  ],
  'budget.refused': [
    { ...budget, neededUsd: '2' },
    'The daily budget of the app search has refused a call',
    'A call that needed up to $2 had no room in the daily budget of $10 (2026-11-23) of the app search: $7.9 spent and $0.25 held for running calls. Further calls that do not fit are refused as well. It begins anew at 2026-11-24T00:00:00.000Z.',
  ],
  'budget.forecast': [
    { ...budget, mode: 'shadow', usedUpAt: '2026-11-23T15:49:22.025Z' },
    'The daily budget of the app search will not last',
    'Of the daily budget of $10 (2026-11-23) of the app search $7.9 is spent; if it goes on so, it is used up at 2026-11-23T15:49:22.025Z. It begins anew at 2026-11-24T00:00:00.000Z. It refuses nothing: its mode is shadow.',
  ],
  'budget.overrun': [
    { app: 'search', day: '2026-11-23', overrunUsd: '0.1', spentUsd: '7.9' },
    'The app search spent more than was held',
    'On 2026-11-23 calls of the app search have cost $0.1 more than was held for them, of $7.9 spent: a platform has billed more than it was asked for.',
  ],
  'wallet.low': [
    { app: 'tutor', month: '2026-11', users: [user], resetsAt: '2026-12-01T00:00:00.000Z' },
    'Users of the app tutor have little credit left',
    'At most a tenth is left in 2026-11:\nu_1: $0.5 of $10\nWallets begin anew at 2026-12-01T00:00:00.000Z.',
  ],
  'platform.circuit_opened': [
    { platform: 'openai', model: 'gpt', since: '2026-11-23T12:30:00.000Z' },
    'The model gpt of openai keeps failing',
    'Since 2026-11-23T12:30:00.000Z calls of the model gpt are refused, or go to the next model of their alias; every 5 s one call finds out whether it works again.',
  ],
  'platform.circuit_closed': [
    { platform: 'openai', model: 'gpt', since: '2026-11-23T12:30:00.000Z' },
    'The model gpt of openai is called again',
    'No replica refuses calls of the model gpt any more; it had failed since 2026-11-23T12:30:00.000Z.',
  ],
  'platform.account': [
    { platform: 'up', model: 'gpt', reason: 'credit', status: 402, day: '2026-11-23' },
    'The platform up rejects its account',
    "On 2026-11-23 calls of the platform up failed for the gateway's own account (credit). Add credit, or raise its spending limit. `platforms check` shows its state.",
  ],
  'key.expiring': [
    { app: 'search', key: 'key_1', expiresAt: '2026-11-24T12:00:00.000Z', days: 1 },
    'An API key of the app search is about to expire',
    'The API key key_1 of the app search is unknown from 2026-11-24T12:00:00.000Z on. Rotate it, or issue another.',
  ],
  'price.unknown': [
    { app: 'search', model: 'gpt-9', day: '2026-11-23', calls: 3 },
    'The model gpt-9 has no price',
    'On 2026-11-23 calls of the app search to the model gpt-9 could not be priced: so far 3. Price the model, then have the calls priced with `calls reprice`.',
  ],
  'price.mismatch': [
    { platform: 'up', field: 'usage.speed', reason: 'other-tier', day: '2026-11-23' },
    'The platform up reports another price',
    'On 2026-11-23 responses of the platform up had usage.speed (other-tier), which the price of their model does not have. Their costs are estimates. Compare them with the invoice, and correct the price or the calls.',
  ],
  'estimates.grow': [
    { app: 'search', day: '2026-11-23', spentUsd: '10', estimatedUsd: '1', percent: 10 },
    'Much of what the app search spent is estimated',
    'On 2026-11-23 the app search has spent $10, of which $1 is estimated (10 %): answers were cut off, or came without counts.',
  ],
  'invoice.drift': [
    {
      ...{ platform: 'openai', app: 'search', day: '2026-11-23' },
      ...{ invoiceUsd: '12', bookedUsd: '10', differenceUsd: '2' },
    },
    'The invoice of openai is not what was booked',
    'For search on 2026-11-23 openai bills $12, and $10 is booked: a difference of $2. `reconcile show --day 2026-11-23` shows it by model.',
  ],
  'budget.closed': [
    { restoredAt: '2026-11-23T09:00:00Z', count: 2, budgets: 'lab (day), lab (month)' },
    'A restored store has closed budgets',
    'The store was restored at 2026-11-23T09:00:00Z and might lack calls that were billed, so 2 budgets are closed: lab (day), lab (month). `days reopen --all` opens every budget, `budgets reopen NAME` one, `wallets reopen --all` the wallets.',
  ],
  'audit.breach': [
    { day: '2026-11-23', rules: 'I2, I16' },
    'The books break their own rules',
    'The audit of 2026-11-23 found what must not be: I2, I16. Keep a copy of the store; `audit` says what each rule is.',
  ],
  test: [{}, 'A test of Model Gateway', 'The hook ops works: what it is told of comes here.'],
};

function alertOf(type: AlertType, data: JsonObject): Alert {
  const subject = type === 'test' ? 'ops' : 'app:search';
  return { id: 'evt_1', type, subject, period: '2026-11-23', mark: '', at, data };
}

/** Every text of a body, for what a person reads. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}

describe.each(alertTypes)('%s', (type) => {
  const [data, title, sentences] = told[type];
  const alert = alertOf(type, data);

  test('as Standard Webhooks says', () => {
    const body = JSON.parse(formatBody(alert, 'standard'));
    expect(body).toEqual({ type, timestamp: '2026-11-23T12:30:00.000Z', data });
  });

  test('in the words of a chat', () => {
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

test('a name is no markup: Slack gets it escaped or plain, Teams as a run of text', () => {
  const alert = alertOf('price.unknown', { app: 'search', model: hostile, day: 'd', calls: 1 });
  const slack = JSON.parse(formatBody(alert, 'slack'));
  expect(slack.text).toContain('&lt;!channel&gt; *x* &amp;amp;');
  expect(slack.text).not.toContain('<');
  expect(slack.blocks[1].text).toMatchObject({ type: 'plain_text' });
  expect(slack.blocks[1].text.text).toContain(hostile);
  const [card] = JSON.parse(formatBody(alert, 'teams')).attachments;
  for (const block of card.content.body) expect(block.type).toBe('RichTextBlock');
});

test('the longest digest is within what receivers take, and a chat is told the first 20', () => {
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
  expect(blocks[1].text.text).toContain('and 80 others');
  expect(blocks[1].text.text.length).toBeLessThan(3_000);
});

test('what has no fields, or others, is told all the same', () => {
  for (const type of alertTypes) {
    const odd = alertOf(type, { users: [null, 1, ['x']], capUsd: { a: 1 } });
    for (const format of ['standard', 'slack', 'teams'] as const) {
      expect(() => JSON.parse(formatBody(odd, format))).not.toThrow();
    }
  }
});

test('docs/notify.md lists every type that hooks are told, with the fields of its data', () => {
  const document = readFileSync(new URL('../../../../docs/notify.md', import.meta.url), 'utf8');
  const rows = document.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|.*\| ([^|]*) \|$/gm);
  const listed = Array.from(rows, ([, type = '', fields = '']) => [
    type,
    Array.from(fields.matchAll(/`(\w+)`/g), ([, field]) => field).toSorted(),
  ]);
  const known = hookEvents.map((type) => [type, Object.keys(told[type][0]).toSorted()]);
  expect(listed.toSorted()).toEqual(known.toSorted());
});
