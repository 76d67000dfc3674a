import type { Statement } from '../../src/store/port/port.ts';

/** A group that was created when its apps had spent 52 and 200. */
export const joined: readonly Statement[] = [
  `insert into budget_scope (scope, period, cap, mode, brought, spent, held, estimated, overrun,
     pruned, would_refuse, would_refuse_amount)
   values ('group:joined', '2026-11', 900, 'enforce', 252, 252, 0, 0, 0, 0, 0, 0)`,
  `insert into budget_member (app, scope, period, first_day, end_day, brought)
   values ('search', 'group:joined', '2026-11', '2026-11-01', '2026-12-01', 52),
          ('tutor', 'group:joined', '2026-11', '2026-11-01', '2026-12-01', 200)`,
].map((sql) => ({ sql, values: [] }));

/** Wrong numbers of members of budgets. The audit finds each. */
export const spoiltMembers = [
  {
    id: 'I4-member',
    what: 'a member that brought less to a budget than it had spent before, and another one more',
    // The sum of both stays the same.
    sql: [
      "update budget_member set brought = brought - 1 where app = 'search'",
      "update budget_member set brought = brought + 1 where app = 'tutor'",
    ],
  },
  {
    id: 'I4-member',
    what: 'a member that left a budget with more than it had spent in it',
    sql: [
      "update budget_member set brought = 0, left_spent = 1 where app = 'search'",
      "update budget_scope set spent = 200, brought = 200 where scope = 'group:joined'",
    ],
  },
] as const;
