import { describe, expect, test } from 'vitest';
import { defaultWebhookEvents, type WebhookConfig } from '../../src/domain/notify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import type { AlertEvent } from '../../src/notify/events.ts';
import { createOutbox, type Outbox, retentionMs } from '../../src/notify/outbox.ts';
import { openPseudonyms } from '../../src/notify/pseudonyms.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectWebhookUses } from '../../src/store/queries/alerts.ts';

const nowMs = Date.UTC(2026, 10, 23, 12);
const dayMs = 86_400_000;

function hook(name: string, more: Partial<WebhookConfig> = {}): WebhookConfig {
  return {
    ...{ name, url: 'https://hooks.example/x', secrets: [], format: 'standard' },
    ...{ events: defaultWebhookEvents, at: [50, 80, 100], apps: undefined, allowPrivate: false },
    ...more,
  };
}

function mark(more: Partial<AlertEvent> = {}): AlertEvent {
  return {
    ...{ type: 'budget.threshold', subject: 'app:search', period: '2026-11-23', mark: '80' },
    ...{ atMs: nowMs, apps: ['search'], percent: 80, data: { spent: '8' } },
    ...more,
  };
}

/** The behavior that the outbox of every store must have. */
export function testOutbox(open: () => Store) {
  const emptied = async () => {
    const tables = ['alert_delivery', 'alert_event'];
    await open().write(tables.map((table) => ({ sql: `delete from ${table}`, values: [] })));
    return createOutbox({ store: open(), ids: createIds(systemClock) });
  };
  describe('raised', () => testRaised(emptied, open));
  describe('delivered', () => testDelivered(emptied, open));

  test('every process has the same pseudonyms, different for each app', async () => {
    await open().write([{ sql: 'delete from pseudonym_key', values: [] }]);
    const parts = { store: open(), ids: createIds(systemClock) };
    const [one, other] = await Promise.all([openPseudonyms(parts), openPseudonyms(parts)]);
    expect(one('search', 'mia')).toMatch(/^u_[0-9a-f]{24}$/);
    expect(other('search', 'mia')).toBe(one('search', 'mia'));
    expect(new Set([one('search', 'mia'), one('tutor', 'mia'), one('search', 'leo')]).size).toBe(3);
    expect((await openPseudonyms(parts))('search', 'mia')).toBe(one('search', 'mia'));
  });
}

/** All but one of the deliveries that may wait: copies of the one delivery of `ops`. */
const fill = `
  insert into alert_delivery (event, hook, attempts, next_at, status)
  with recursive numbers (number) as (
    select 2 union all select number + 1 from numbers where number < 4999)
  select event || number, hook, attempts, next_at, status
    from alert_delivery cross join numbers where hook = 'ops'`;

function testRaised(emptied: () => Promise<Outbox>, open: () => Store) {
  test('an event is stored once per type, subject, period and threshold', async () => {
    const outbox = await emptied();
    const others = [mark({ mark: '100' }), mark({ period: '2026-11-24' })];
    const events = [
      mark(),
      ...others,
      mark({ subject: 'app:tutor' }),
      mark({ type: 'price.unknown' }),
    ];
    expect(await outbox.raise(events, [hook('ops')])).toHaveLength(5);
    expect(await outbox.raise([...events, mark()], [hook('ops'), hook('late')])).toEqual([]);
    expect(await outbox.due('ops', nowMs, 100)).toHaveLength(5);
    expect(await outbox.due('late', nowMs, 100)).toEqual([]);
  });

  test('processes that raise the same event at once store it once, without waiting', async () => {
    const outbox = await emptied();
    const events = Array.from({ length: 250 }, (_, index) => mark({ subject: `app:a${index}` }));
    const rounds = [events, events.toReversed(), events, events.toReversed()];
    const raised = await Promise.all(rounds.map((each) => outbox.raise(each, [hook('ops')])));
    expect(raised.flat()).toHaveLength(250);
    expect(await outbox.due('ops', nowMs, 1_000)).toHaveLength(250);
  });

  test('a webhook receives only its events, thresholds and apps', async () => {
    const outbox = await emptied();
    const hooks = [
      hook('all'),
      hook('marks', { at: [50] }),
      hook('apps', { apps: ['tutor'] }),
      hook('money', { events: ['wallet.low'] }),
    ];
    const group = mark({
      subject: 'group:both',
      apps: ['search', 'tutor'],
      mark: '50',
      percent: 50,
    });
    const platform = mark({ type: 'platform.circuit_opened', apps: undefined, percent: undefined });
    const company = mark({ subject: 'group:all', apps: 'all' });
    const wallet = mark({ type: 'wallet.low', percent: undefined });
    await outbox.raise([mark(), group, platform, company, wallet], hooks);
    const told = await Promise.all(hooks.map(({ name }) => outbox.due(name, nowMs, 100)));
    const wordOf = ({ type, subject }: { type: string; subject: string }) => `${type} ${subject}`;
    expect(told.map((each) => each.map(wordOf).toSorted())).toEqual([
      [
        'budget.threshold app:search',
        'budget.threshold group:all',
        'budget.threshold group:both',
        'platform.circuit_opened app:search',
      ],
      ['budget.threshold group:both', 'platform.circuit_opened app:search'],
      ['budget.threshold group:all', 'budget.threshold group:both'],
      ['wallet.low app:search'],
    ]);
  });

  test('an event without a receiver is stored, and never sent later', async () => {
    const outbox = await emptied();
    expect(await outbox.raise([mark()], [])).toHaveLength(1);
    expect(await outbox.raise([mark()], [hook('ops')])).toEqual([]);
  });

  test('no webhook has more than 5,000 waiting events', async () => {
    const outbox = await emptied();
    await outbox.raise([mark({ mark: '100', percent: 100 })], [hook('ops'), hook('other')]);
    await open().write([{ sql: fill, values: [] }]);
    await outbox.raise([mark(), mark({ mark: '50', percent: 50 })], [hook('ops'), hook('other')]);
    expect(await open().read(selectWebhookUses)).toMatchObject([
      {
        hook: 'ops',
        waiting: 5_000,
        dead: 1,
        lastError: 'not sent, because 5000 other events were waiting',
      },
      { hook: 'other', waiting: 3, dead: 0, lastError: undefined },
    ]);
  });

  test('an event above the body limit is not stored', async () => {
    const outbox = await emptied();
    const long = mark({ data: { words: 'x'.repeat(20_000) } });
    await expect(outbox.raise([long], [hook('ops')])).rejects.toThrow('too long');
  });
}

function testDelivered(emptied: () => Promise<Outbox>, open: () => Store) {
  test('a delivery is due again at its next attempt, with the same id', async () => {
    const outbox = await emptied();
    await outbox.raise([mark()], [hook('ops'), hook('other')]);
    const [first] = await outbox.due('ops', nowMs, 1);
    expect(first).toMatchObject({ hook: 'ops', attempts: 0, type: 'budget.threshold', at: nowMs });
    expect(JSON.parse(first?.body ?? '')).toEqual({ spent: '8' });
    const id = first?.id ?? '';
    const failed = { event: id, hook: 'ops', attempts: 1, lastError: 'answered 500' };
    await outbox.note({ ...failed, status: 'waiting', nextAt: nowMs + 5_000 });
    expect(await outbox.due('ops', nowMs + 4_999, 1)).toEqual([]);
    expect(await outbox.due('ops', nowMs + 5_000, 1)).toEqual([{ ...first, attempts: 1 }]);
    expect(await outbox.due('other', nowMs, 1)).toEqual([{ ...first, hook: 'other' }]);
  });

  test('a delivered or dead event stays so', async () => {
    const outbox = await emptied();
    await outbox.raise([mark(), mark({ mark: '100', percent: 100 })], [hook('ops')]);
    const [first, second] = await outbox.due('ops', nowMs, 2);
    const done = { hook: 'ops', attempts: 1, nextAt: nowMs, lastError: undefined };
    await outbox.note({ ...done, event: first?.id ?? '', status: 'delivered' });
    await outbox.note({ ...done, event: second?.id ?? '', status: 'dead', lastError: 'gone' });
    for (const due of [first, second]) {
      await outbox.note({ ...done, event: due?.id ?? '', status: 'waiting', lastError: 'late' });
    }
    expect(await outbox.due('ops', nowMs, 10)).toEqual([]);
    expect(await outbox.waiting()).toEqual([]);
    expect(await open().read(selectWebhookUses)).toEqual([
      { hook: 'ops', delivered: 1, waiting: 0, dead: 1, lastError: 'gone' },
    ]);
  });

  test('waiting deliveries are counted by webhook, with the oldest', async () => {
    const outbox = await emptied();
    const older = mark({ mark: '50', percent: 50, atMs: nowMs - 9_000 });
    await outbox.raise([mark(), older], [hook('a'), hook('b', { at: [80] })]);
    expect(await outbox.waiting()).toEqual([
      { hook: 'a', waiting: 2, nextAt: 0, oldestAt: nowMs - 9_000 },
      { hook: 'b', waiting: 1, nextAt: 0, oldestAt: nowMs },
    ]);
  });

  test('events are deleted after 35 days, and after two if no process has tried them', async () => {
    const outbox = await emptied();
    const old = mark({ period: 'old', atMs: nowMs - retentionMs - 1 });
    const kept = mark({ period: 'kept', atMs: nowMs - retentionMs });
    const untried = mark({ period: 'untried', atMs: nowMs - 2 * dayMs - 1 });
    await outbox.raise([old, kept, untried, mark()], [hook('ops')]);
    await outbox.prune(nowMs);
    expect(await outbox.due('ops', nowMs, 10)).toMatchObject([{ period: '2026-11-23' }]);
    expect(await open().read(selectWebhookUses)).toMatchObject([{ waiting: 1, dead: 2 }]);
    expect(await outbox.raise([old, kept, untried, mark()], [])).toEqual([old]);
  });
}
