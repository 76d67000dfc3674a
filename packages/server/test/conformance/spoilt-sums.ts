const begunSums =
  "insert into rollup_state (id, closed_until, rolled_until, pruned_steps) values (1, '', '', 0)";
const oneCall = "'', '', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0";
const corrected = "'', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0";
const ofUser = '-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0';

/** Errors that only the rules on rollups find, with the ids of the rules. */
export const spoiltSums = [
  {
    id: 'I15',
    what: 'a sum of reports that no call explains',
    sql: [begunSums, `insert into usage_split values ('2026-11-21', 'search', 'm', ${oneCall})`],
  },
  {
    id: 'I15',
    what: 'a change that was written beside the sums twice',
    sql: [
      "insert into rollup_state (id, closed_until, rolled_until, pruned_steps) values (1, 'a', 'a', 0)",
      `insert into usage_late values ('0', '2026-11-21', 'search', 'm', '', ${oneCall})`,
      `insert into usage_user_month values ('2026-11', 'search', '', ${ofUser})`,
    ],
  },
  {
    id: 'I15-user',
    what: "a user's sum that no call explains",
    sql: [begunSums, `insert into usage_user_month values ('2026-11', 'search', 'a', ${ofUser})`],
  },
  {
    id: 'I15-both',
    what: 'a correction that one of two sums has not',
    sql: [begunSums, `insert into usage_split values ('2026-11-21', 'search', 'm', ${corrected})`],
  },
];
