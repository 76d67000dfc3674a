/**
 * The roles and names that the stories search on the pages: the one file to change when a page gets
 * other words.
 */
export const labels = {
  headings: {
    today: 'Today',
    reconcile: 'Reconcile',
    receipt: /^Cost of this call/,
    calls: 'Calls',
  },
  links: { spend: /^Spend\b/, calls: /^Calls\b/, apps: /^Apps\b/, keys: /^Keys\b/ },
  reconcile: /^Reconcile\b/,
  live: 'Live',
  firstCall: {
    waiting: 'Waiting for the first call',
    command: 'Shell command',
    arrived: /^Receipt of the first call/,
    addsUp: 'Cost verified.',
  },
  raiseBudget: (app: string) => `Raise budget of ${app}`,
  budgetField: 'USD per day',
  reason: 'Reason',
  becomes: /becomes/,
  changeBudget: 'Change budget',
  thisMonth: 'This month',
  /** The groups of Spend. */
  groups: { app: /^App$/, project: /^Project$/ },
  spendBy: (group: string) => `By ${group}`,
  exportCsv: 'Export CSV',
  mostExpensiveCall: /^Most expensive call/,
  /** The head of a receipt, with the exact cost. */
  whyItCost: 'Cost of this call: ',
  find: 'Search',
  rejected: 'Bad request',
  rotate: /^Rotate/,
  issueNewKey: 'Issue new key',
  issueKey: 'Issue key',
  stored: 'I have saved it',
  disableOldKey: 'Disable old key',
  disableKey: 'Disable key',
  confirm: (name: string) => `Type ${name} to confirm`,
  uploadInvoice: 'Upload invoice',
  platform: /^Platform/,
  files: /^Files/,
  importInvoice: 'Import',
  showComparison: 'Show comparison',
  /** The last seven days of Spend. */
  week: /^(7 days|This week|Last 7 days)$/,
  /** The current month of Spend. */
  month: /^(Month|This month)$/,
  monthVerdict: /\b(within (budget|all|the monthly)|runs out|used up|at risk)\b/i,
  forecast: /forecast/i,
  keyActions: (id: string) => new RegExp(`Actions.*${id}`),
  showCalls: /^Show calls/,
  /** The verdicts of a comparison: each in its list, and in its lines. */
  verdicts: {
    explained: 'Within estimates',
    over: 'Invoice is higher',
    foreign: 'Unknown project',
  },
  /** The answer, and its figures. */
  invoice: [
    /The invoice (matches|does not match)/,
    /^Invoice$/,
    /^Ledger, same days$/,
    /^Difference$/,
  ],
  code: 'One-time code',
  logIn: 'Log in',
  changeBudgetOf: /^Change budget/,
} as const;
