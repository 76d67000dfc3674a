import { expect, onTestFinished, test } from 'vitest';
import { noTokens } from '../../src/books/usage.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { keptBefore } from './kept-before.ts';
import { lostRows } from './lost-rows.ts';
import { holdLivesMs, noonMs, search, tutor } from './operations.ts';
import { joined, spoiltMembers } from './spoilt-members.ts';
import { spoiltRejections } from './spoilt-rejections.ts';
import { spoiltSums } from './spoilt-sums.ts';
import type { Subject } from './subject.ts';
import { letWrongRowsIn } from './wrong-rows.ts';

/** The audit finds each wrong number, under exactly one check. */
export function testAudit(open: () => Promise<Subject>, storeOf: () => Store) {
  test('a busy ledger is clean', async () => {
    const subject = await open();
    await fill(subject, storeOf());
    await storeOf().write([seen({ id: 'alpha', seenAt: noonMs, configHash: 'test' })]);
    const report = await audit(storeOf(), noonMs);
    expect(report.clean).toBe(true);
    const named = new Set(corruptions.map(({ id }) => id));
    // The file and the chain of the audit log have their own tests.
    const file = storeOf().kind === 'sqlite' ? ['file'] : [];
    expect(report.checks.map(({ id }) => id)).toEqual([...file, ...named, 'I16', 'I16-key']);
  });

  for (const { id, what, sql, isBarred } of corruptions) {
    test(`${id} finds ${what}`, async () => {
      const subject = await open();
      await fill(subject, storeOf());
      const store = storeOf();
      await store.write([seen({ id: 'alpha', seenAt: noonMs, configHash: 'test' })]);
      const spoil = () => store.write(sql.map((text) => ({ sql: text, values: [] })));
      if (isBarred === true) {
        await expect(spoil()).rejects.toThrow('call_amounts');
        onTestFinished(await letWrongRowsIn(store, 'call'));
      }
      const counts = await spoil();
      expect(Math.min(...counts), 'rows that each statement spoils').toBeGreaterThan(0);
      const report = await audit(store, noonMs);
      const failed = report.checks.filter((check) => !check.ok);
      expect(failed.map((check) => check.id)).toEqual([id]);
      expect(failed[0]?.figure).toBeGreaterThan(0);
      expect(report.clean).toBe(false);
    });
  }

  for (const { ids, what, sql, figure = 1 } of lostRows) {
    test(`${ids.join(' and ')} find a deleted ${what}`, async () => {
      const subject = await open();
      await fill(subject, storeOf());
      const [rows] = await storeOf().write([{ sql, values: [] }]);
      expect(rows, 'rows that are deleted').toBe(figure);
      const report = await audit(storeOf(), noonMs);
      const failed = report.checks.filter((check) => !check.ok);
      expect(failed.map((check) => [check.id, check.figure])).toEqual(
        ids.map((id) => [id, figure]),
      );
    });
  }

  test('I4-topup misses a wallet whose top-ups add up to zero', async () => {
    const subject = await open();
    await subject.commit([tutor.topUp(5n, 'r'), tutor.topUp(-5n, 's')]);
    const store = storeOf();
    expect(await audit(store, noonMs)).toMatchObject({ clean: true });
    await store.write([{ sql: 'delete from wallet_topup', values: [] }]);
    expect(await subject.breaches()).toEqual(['I4-topup']);
  });

  test.each([
    ['the first one', 'n = 1'],
    ['one that was free', 'n = 2'],
    ['the one that cost something', 'n = 3'],
    ['all but one', 'n < 3'],
    ['all', 'n > 0'],
  ])('I4-call misses attempts: %s', async (_which, where) => {
    const subject = await open();
    const none = { tokens: noTokens, isCounted: false, basis: 'free' } as const;
    await subject.commit([
      search.reserve('a', 10n),
      search.settle('a', 5n, { several: [none, none, { cost: 5n }] }),
    ]);
    expect(await subject.breaches()).toEqual([]);
    await storeOf().write([{ sql: `delete from attempt where ${where}`, values: [] }]);
    expect(await subject.breaches()).toContain('I4-call');
  });

  test('a reservation may be late by two sweeps, and forever while nothing serves', async () => {
    const subject = await open();
    await subject.commit([search.reserve('a', 10n)]);
    const store = storeOf();
    const late = noonMs + holdLivesMs + 10_000;
    expect(await audit(store, late + 1)).toMatchObject({ clean: true });
    await store.write([seen({ id: 'alpha', seenAt: late, configHash: 'test' })]);
    expect(await audit(store, late)).toMatchObject({ clean: true });
    expect(await audit(store, late + 1)).toMatchObject({ clean: false });
  });
}

/**
 * Calls of every state: open, settled, expired, above their reservation, with and without a wallet.
 */
async function fill(subject: Subject, store: Store) {
  const results = await subject.commit([
    tutor.topUp(500n, 'r'),
    tutor.reserve('a', 60n, { key: 'k' }),
    tutor.settle('a', 50n, { key: 'k' }),
    tutor.reserve('b', 40n),
    tutor.settle('b', 40n),
    tutor.reserve('c', 90n),
    tutor.settle('c', 80n, { estimated: 20n, basis: 'mixed' }),
    tutor.reserve('d', 30n),
    tutor.expire('d'),
    tutor.as({ userId: 'bob' }).reserve('e', 70n),
    tutor.reserve('f', 20n),
    search.reserve('g', 10n),
    search.settle('g', 15n),
    search.reserve('h', 20n),
    search.reserve('i', 30n),
    search.settle('i', 25n, {
      ...{ estimated: 9n, basis: 'mixed' },
      several: [
        { cost: 9n, basis: 'estimated' },
        { cost: 16n, model: 'sim-second', usageModel: 'sim-second' },
      ],
    }),
    search.reserve('j', 10n, { scopes: [group] }),
    search.settle('j', 12n),
    search.reserve('k', 5n, { scopes: [group] }),
  ]);
  for (const result of results) expect(result).toMatchObject({ ok: true });
  await store.write(keptBefore('a'));
  await store.write(joined);
}

const group = { scope: 'group:a@b', period: '2026-11', cap: 100n, mode: 'enforce' } as const;

interface Corruption {
  readonly id: string;
  readonly what: string;
  readonly sql: readonly string[];
  /** Whether the database itself rejects such a row. */
  readonly isBarred?: boolean;
}

const corruptions: readonly Corruption[] = [
  {
    id: 'I1',
    what: 'a day that was admitted above its cap',
    sql: ["update budget_day set admitted_cap = 1 where app = 'search'"],
  },
  {
    id: 'I2',
    what: 'a hold that is larger than the day knows',
    sql: ["update hold set budget_amount = budget_amount + 1 where call_id = 'h'"],
  },
  {
    id: 'I2',
    what: 'a hold that is gone',
    sql: ["delete from hold where call_id = 'h'"],
  },
  {
    id: 'I3-grant',
    what: 'a held grant that no hold has',
    sql: ["update wallet_month set held_grant = held_grant - 1 where user_id = 'bob'"],
  },
  {
    id: 'I3-grant',
    what: 'an overdrawn grant',
    sql: ["update wallet_month set granted = 69 where user_id = 'bob'"],
  },
  {
    id: 'I3-topup',
    what: 'held top-up money that no hold has',
    sql: ['update wallet_topup set held = held + 1 where added > 0'],
  },
  {
    id: 'I3-topup',
    what: 'overdrawn top-up money',
    sql: [
      'update wallet_topup set added = 10 where added > 0',
      'update wallet_entry set amount = 10',
    ],
  },
  {
    id: 'I4-budget',
    what: 'spent money that no call has cost',
    sql: ["update budget_day set spent = spent + 1 where app = 'search'"],
  },
  {
    id: 'I4-budget',
    what: 'an estimate too much',
    sql: ["update budget_day set estimated = estimated + 1 where app = 'tutor'"],
  },
  {
    id: 'I4-budget',
    what: 'an overrun too much',
    sql: ["update budget_day set overrun = overrun + 1 where app = 'search'"],
  },
  {
    id: 'I4-wallet',
    what: 'a grant that was spent on nothing',
    sql: ["update wallet_month set spent_grant = spent_grant + 1 where user_id = 'bob'"],
  },
  {
    id: 'I4-wallet',
    what: 'top-up money that a month spent on nothing',
    sql: ["update wallet_month set spent_topup = spent_topup + 1 where user_id = 'ada'"],
  },
  {
    id: 'I4-topup',
    what: 'top-up money that was spent on nothing',
    sql: ['update wallet_topup set spent = spent + 1 where added > 0'],
  },
  {
    id: 'I4-topup',
    what: 'top-up money that nobody added',
    sql: ['update wallet_topup set added = added + 1 where added > 0'],
  },
  {
    id: 'I1-scope',
    what: 'a group that was admitted above its cap',
    sql: ["update budget_scope set admitted_cap = 14 where scope = 'group:a@b'"],
  },
  {
    id: 'I2-scope',
    what: 'held money of a group that no hold has',
    sql: ["update budget_scope set held = held + 1 where scope = 'group:a@b'"],
  },
  {
    id: 'I2-scope',
    what: 'a hold that has forgotten its group',
    sql: ["update hold set scopes = null where call_id = 'k'"],
  },
  ...[
    ['spent', 'spent money of a group that no call has cost'],
    ['brought', 'money that was brought to a group, and that nothing has spent'],
    ['pruned', 'money of pruned calls that nothing has spent'],
    ['estimated', 'an estimate of a group too much'],
    ['overrun', 'an overrun of a group too much'],
  ].map(([column, what = '']) => ({
    id: 'I4-scope',
    what,
    sql: [`update budget_scope set ${column} = ${column} + 1`],
  })),
  {
    id: 'I4-scope',
    what: 'a call that has forgotten its group',
    sql: ["update call set scopes = null where call_id = 'j'"],
  },
  ...spoiltMembers,
  {
    id: 'I4-call',
    what: 'an attempt that cost less than its call says',
    sql: [
      'update attempt set cost = cost - 1 where n = 2',
      "update usage_day set cost = cost - 1 where model = 'sim-second'",
      "update usage_day set cost = cost + 1 where model = 'sim-echo' and app = 'search'",
    ],
  },
  {
    id: 'I4-call',
    what: 'an attempt that cost less, of a call that was corrected',
    sql: [
      "update call set basis = 'corrected', estimated = 0 where call_id = 'i'",
      "update attempt set basis = 'corrected'",
      'update attempt set cost = cost - 1 where n = 1',
      "update budget_day set estimated = estimated - 9 where app = 'search'",
      "update usage_day set estimated = estimated - 9 where app = 'search' and estimated = 9",
    ],
  },
  {
    id: 'I4-call',
    what: 'an estimate that an attempt has, and its call not',
    sql: [
      "update call set estimated = 8 where call_id = 'i'",
      "update budget_day set estimated = estimated - 1 where app = 'search'",
      "update usage_day set estimated = estimated - 1 where app = 'search' and estimated = 9",
    ],
  },
  ...[
    ['calls', 'a call too much'],
    ['errors', 'an error too much'],
    ['input_tokens', 'a token too much'],
    ['cached_input_tokens', 'a cached token too much'],
    ['cache_write_input_tokens', 'a cache-write token too much'],
    ['output_tokens', 'an output token too much'],
    ['reasoning_tokens', 'a reasoning token too much'],
    ['cost', 'a cost too much'],
    ['estimated', 'an estimate too much in the usage'],
    ['unpriced_calls', 'an unpriced call too much'],
  ].map(([column, what = '']) => ({
    id: 'I5',
    what,
    sql: [`update usage_day set ${column} = ${column} + 1 where app = 'tutor'`],
  })),
  {
    id: 'I5',
    what: 'usage that is gone',
    sql: ["delete from usage_day where app = 'search'"],
  },
  {
    id: 'I5',
    what: 'usage of a model that nobody called',
    sql: ["update usage_day set model = 'sim-other' where model = 'sim-second'"],
  },
  {
    id: 'I6',
    what: 'a negative amount that another one makes up for',
    isBarred: true,
    sql: [
      "update call set wallet_grant = wallet_grant - 100 where call_id = 'a'",
      "update call set wallet_grant = wallet_grant + 100 where call_id = 'b'",
    ],
  },
  {
    id: 'I6',
    what: 'an estimate above its cost',
    isBarred: true,
    sql: [
      "update call set estimated = estimated + 60 where call_id = 'a'",
      "update call set estimated = estimated - 20 where call_id = 'c'",
      "update call set estimated = estimated - 30 where call_id = 'd'",
      "update budget_day set estimated = estimated + 10 where app = 'tutor'",
      "update usage_day set estimated = estimated + 10 where app = 'tutor'",
    ],
  },
  {
    id: 'I7',
    what: 'a call that has ended and still has a hold',
    sql: [
      `insert into hold (call_id, app, day, month, user_id, route, model, usage_model,
         price_version, key_hash, started_at, budget_amount, grant_amount, topup_amount, extensions,
         owner, expires_at)
       select call_id, app, day, month, user_id, route, model, usage_model, price_version,
              key_hash, started_at, 0, 0, 0, 0, 'alpha', 9999999999999
         from call
        where call_id = 'a'`,
    ],
  },
  { id: 'I10', what: 'an answer that is gone', sql: ["delete from answer where call_id = 'a'"] },
  {
    id: 'I10',
    what: 'an answer that is empty',
    sql: ["update answer set status = 0, body = '' where call_id = 'a'"],
  },
  ...spoiltRejections,
  {
    id: 'I13',
    what: 'a hold that nobody sweeps',
    sql: ["update hold set expires_at = 1 where call_id = 'h'"],
  },
  ...spoiltSums,
];
