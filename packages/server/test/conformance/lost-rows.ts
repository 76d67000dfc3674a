/** Whole rows that are deleted, and the checks that detect it. */
export const lostRows: readonly {
  readonly ids: readonly string[];
  readonly what: string;
  readonly sql: string;
  readonly figure?: number;
}[] = [
  {
    ids: ['I2', 'I4-budget'],
    what: 'the day of calls and holds',
    sql: "delete from budget_day where app = 'search'",
  },
  {
    ids: ['I2', 'I4-budget'],
    what: 'each day',
    sql: 'delete from budget_day',
    figure: 2,
  },
  {
    ids: ['I3-grant'],
    what: 'the grant of a running call',
    sql: "delete from wallet_month where user_id = 'bob'",
  },
  {
    ids: ['I3-grant', 'I4-wallet'],
    what: 'the grant of ended and running calls',
    sql: "delete from wallet_month where user_id = 'ada'",
  },
  {
    ids: ['I3-topup', 'I4-topup'],
    what: 'the top-up money that calls have spent and hold',
    sql: "delete from wallet_topup where user_id = 'ada'",
  },
  {
    ids: ['I3-topup'],
    what: 'the top-up row of a user who runs a call',
    sql: "delete from wallet_topup where user_id = 'bob'",
  },
  {
    ids: ['I2-scope', 'I4-scope'],
    what: 'the cap of a group',
    sql: "delete from budget_scope where scope = 'group:a@b'",
  },
  { ids: ['I4-topup'], what: 'a top-up', sql: 'delete from wallet_entry' },
  {
    ids: ['I5'],
    what: 'the usage of a day',
    sql: "delete from usage_day where app = 'tutor'",
  },
  {
    ids: ['I4-budget', 'I4-wallet', 'I4-topup', 'I4-member', 'I5'],
    what: 'a call',
    sql: "delete from call where call_id = 'c'",
  },
];
