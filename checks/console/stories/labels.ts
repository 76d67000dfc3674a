/**
 * What the stories look for on the pages, by role and name: the one place to change when a page is
 * given other words.
 */
export const labels = {
  headings: {
    today: 'Today',
    reconcile: 'Reconcile',
    receipt: /^Why this call cost/,
    calls: 'Calls',
  },
  links: { spend: /^Spend\b/, calls: /^Calls\b/, apps: /^Apps\b/, keys: /^Keys\b/ },
  reconcile: /^Reconcile\b/,
  live: 'Live',
  firstCall: {
    waiting: 'Waiting for the first call',
    command: 'Command for a shell',
    arrived: /^The first call has arrived/,
    addsUp: 'Adds up.',
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
  dearestCall: /^Most expensive call/,
  /** The head of a receipt, with the exact cost. */
  whyItCost: 'Why this call cost ',
  find: 'Search',
  rejected: 'Bad request',
  rotate: /^Rotate/,
  issueNewKey: 'Issue the new key',
  issueKey: 'Issue the key',
  stored: 'I have stored it',
  disableOldKey: 'Disable the old key',
  disableKey: 'Disable the key',
  confirm: (name: string) => `Type ${name} to confirm`,
  uploadInvoice: 'Upload invoice',
  platform: /^Platform/,
  files: /^Files/,
  importInvoice: 'Import',
  showComparison: 'Show the comparison',
  /** The last seven days of Spend. */
  week: /^(7 days|This week|Last 7 days)$/,
  /** The running month of Spend. */
  month: /^(Month|This month)$/,
  monthVerdict: /\b(holds|reaches its (limit|budget)|used up|will not hold)\b/i,
  forecast: /forecast/i,
  keyActions: (id: string) => new RegExp(`Actions.*${id}`),
  showCalls: /^Show calls/,
  /** The verdicts of a comparison: each in its list, and in its lines. */
  verdicts: {
    explained: 'Within estimates',
    over: 'Invoice is higher',
    foreign: 'Unknown project',
  },
  /** The answer, and the figures that it is made of. */
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
