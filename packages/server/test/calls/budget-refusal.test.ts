import { describe, expect, test } from 'vitest';
import { budgetRefusal, type FullBudget } from '../../src/calls/model/budget-refusal.ts';
import { budgetScopeOf } from '../../src/ledger/budget-scope.ts';

const nowMs = Date.parse('2026-11-30T23:00:00Z');
const day = '2026-11-30';
const month = '2026-11';
const usd = 10n ** 12n;
const cap = 5n * usd;

/** A budget of 5 USD with 1 USD left, and a call that needs 2 USD. */
const full = { cap: 5n * usd, spent: 3n * usd, held: usd, needed: 2n * usd, refusing: [] };
const call = { needs: 'it may cost up to $2', isUnpriced: false, isVisible: () => false };

function refusal(scope: FullBudget['scope'], more: Partial<FullBudget> = {}, visible = false) {
  const { message, details } = budgetRefusal(
    { ...full, scope, ...more },
    { ...call, isVisible: () => visible },
    nowMs,
  );
  return { message, ...details };
}

const rows = [
  [undefined, 'app-day', 'the app has a daily budget of $5, with $3 spent', 3_600],
  [
    { scope: 'app:search', period: month },
    'app-month',
    'the app has a monthly budget of $5',
    3_600,
  ],
  [
    { scope: 'group:lab', period: day },
    'group-day:lab',
    'budget of the group lab cannot cover',
    3_600,
  ],
  [
    { scope: 'group:lab', period: month },
    'group-month:lab',
    'the monthly budget of the group',
    3_600,
  ],
  [{ scope: 'key:key_1', period: day }, 'key-day', 'the API key has a daily budget of $5', 3_600],
  [
    { scope: 'key:key_1', period: month },
    'key-month',
    'the API key has a monthly budget of $5',
    3_600,
  ],
  [
    { scope: 'user:search:a:b@c', period: day },
    'user-day',
    'this user of the app has a daily budget',
    3_600,
  ],
  [
    { scope: 'run:search:run_1', period: 'run' },
    'run:run_1',
    'the run has a budget of $5',
    undefined,
  ],
] as const;

describe('a budget without room', () => {
  test.each(rows)('%j is reported as %s', (scope, header, text, retryAfterSeconds) => {
    const error = refusal(scope);
    expect(error).toMatchObject({ budgetScope: header });
    expect(error.message).toContain(text);
    expect(error.message).toContain('it may cost up to $2');
    expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
    expect(budgetScopeOf(scope)).toBe(header);
  });

  test('of a group shows only the call’s amount, unless it is visible', () => {
    const group = { scope: 'group:lab', period: day };
    expect(refusal(group).message.match(/\$\d+/g)).toEqual(['$2']);
    expect(refusal(group, {}, true).message).toContain(
      'the group lab has a daily budget of $5, with $3 spent and $1 reserved',
    );
  });

  test('is not worth a wait if another rejecting budget never has room for the call', () => {
    const small = { scope: 'group:lab', period: day, cap: 2n * usd - 1n };
    const month = { scope: 'key:key_1', period: '2026-11', cap };
    const error = refusal(undefined, { refusing: [small, month] });
    expect(error.message).toContain(
      'cannot cover it: group-day:lab (too small for this call at any time), key-month.',
    );
    expect(error.message).toContain('resets at 00:00 UTC');
    expect(error.retryAfterSeconds).toBeUndefined();
    const covers = { ...small, cap: 2n * usd };
    expect(refusal(undefined, { refusing: [covers, month] }).retryAfterSeconds).toBe(3_600);
  });

  test('names the others, and is worth a retry when the last of them resets', () => {
    const error = refusal(undefined, {
      refusing: [
        { scope: 'group:lab', period: '2026-12', cap },
        { scope: 'key:key_1', period: day, cap },
      ],
    });
    expect(error.message).toContain('cannot cover it: group-month:lab, key-day.');
    expect(error.retryAfterSeconds).toBe(Date.parse('2027-01-01') / 1_000 - nowMs / 1_000);
    const run = { scope: 'run:search:run_1', period: 'run', cap };
    expect(refusal(undefined, { refusing: [run] }).retryAfterSeconds).toBeUndefined();
  });

  test.each([
    [undefined, 'exceeds the whole daily budget'],
    [{ scope: 'group:lab', period: month }, 'exceeds the whole monthly budget'],
    [{ scope: 'run:search:run_1', period: 'run' }, 'exceeds the whole budget of the run'],
  ])('%j is not worth a wait if the call exceeds the whole budget', (scope, text) => {
    const error = refusal(scope, { needed: 6n * usd });
    expect(error.message).toContain(text);
    expect(error.retryAfterSeconds).toBeUndefined();
  });
});
