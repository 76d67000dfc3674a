/** Wrong rows of rejected calls, with the checks that find them. */
export const spoiltRejections = [
  {
    id: 'I12',
    what: 'a rejection of a call that fitted',
    sql: [rejection("'group:a@b', '2026-11', 100, 20, 30, 50, 50, 0")],
  },
  {
    id: 'I12',
    what: 'an amount left that is not what its budget has left',
    sql: [rejection("'group:a@b', '2026-11', 100, 20, 30, 49, 51, 0")],
  },
  {
    id: 'I12',
    what: 'a model without a price that was rejected although something was left',
    sql: [rejection("'group:a@b', '2026-11', 100, 69, 30, 1, 0, 1")],
  },
  {
    id: 'I12',
    what: 'a rejection by a wallet that has enough',
    sql: [rejection('null, null, null, null, 30, 50, 50, 0', 'INSUFFICIENT_CREDITS')],
  },
  {
    id: 'I12-books',
    what: 'a rejection by a day that counts more than its calls',
    sql: [rejection("'app:search', '2026-11-21', 100, 90, 5, 5, 6, 0")],
  },
] as const;

/** Its budget, period, limit, spent, reserved, left, needed, and whether its model has no price. */
function rejection(amounts: string, code = 'BUDGET_EXCEEDED'): string {
  return `insert into rejection values ('rejection_1', 1, 'search', '${code}', ${amounts})`;
}
