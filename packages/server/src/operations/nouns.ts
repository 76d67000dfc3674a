import type { Operation } from './description/operation.ts';

export interface Noun {
  readonly name: string;
  readonly about: string;
  load(): Promise<readonly Operation[]>;
}

/** In the order of the help text. */
export const nouns: readonly Noun[] = [
  {
    name: 'apps',
    about: 'manage apps and their limits',
    async load() {
      const { apps, appChanges } = await import('./apps/operations.ts');
      const { appReports } = await import('./reports/app-page.ts');
      return [...apps, ...appReports, ...appChanges];
    },
  },
  {
    name: 'keys',
    about: 'manage API keys of apps',
    load: async () => (await import('./keys/operations.ts')).keys,
  },
  {
    name: 'budgets',
    about: "manage budgets other than an app's daily budget",
    load: async () => (await import('./budgets/operations.ts')).budgets,
  },
  {
    name: 'console',
    about: 'create login links for the console',
    load: async () => (await import('./access/logins.ts')).logins,
  },
  {
    name: 'tokens',
    about: 'manage tokens of the admin API',
    load: async () => (await import('./access/tokens.ts')).tokens,
  },
  {
    name: 'runs',
    about: 'list and end runs, which have their own budgets',
    load: async () => (await import('./runs/operations.ts')).runs,
  },
  {
    name: 'notify',
    about: 'list and test webhooks for alerts',
    load: async () => (await import('./webhooks/operations.ts')).notify,
  },
  {
    name: 'wallets',
    about: "manage users' credits",
    load: async () => (await import('./wallets/operations.ts')).wallets,
  },
  {
    name: 'users',
    about: 'erase user names',
    load: async () => (await import('./users/operations.ts')).users,
  },
  {
    name: 'usage',
    about: "show one day's spending of one app or all apps",
    load: async () => (await import('./reports/usage.ts')).usage,
  },
  {
    name: 'report',
    about: 'report spending for a date range, as a table or a file',
    load: async () => (await import('./reports/operations.ts')).report,
  },
  {
    name: 'rollups',
    about: 'rebuild the sums (rollups) of reports',
    load: async () => (await import('./reports/rebuild-rollups.ts')).rollups,
  },
  {
    name: 'calls',
    about: 'find, show and correct calls',
    load: async () => (await import('./calls/operations.ts')).calls,
  },
  {
    name: 'log',
    about: 'show the audit log: actors and changes',
    load: async () => (await import('./audit-log/operations.ts')).log,
  },
  {
    name: 'reservations',
    about: 'list reservations (holds) of running calls',
    load: async () => (await import('./calls/holds.ts')).reservations,
  },
  {
    name: 'holds',
    about: 'the same as reservations',
    load: async () => (await import('./calls/holds.ts')).holds,
  },
  {
    name: 'days',
    about: 'close, reopen and prune days of the ledger',
    load: async () => (await import('./days/operations.ts')).days,
  },
  {
    name: 'reconcile',
    about: 'compare platform invoices with the ledger',
    load: async () => (await import('./reconcile/operations.ts')).reconciling,
  },
  {
    name: 'models',
    about: 'list, check and import models',
    load: async () => (await import('./models/operations.ts')).models,
  },
  {
    name: 'platforms',
    about: 'check the model platforms',
    load: async () => (await import('./platforms/operations.ts')).platforms,
  },
  {
    name: 'projects',
    about: 'manage the billing projects of apps',
    load: async () => (await import('./projects/operations.ts')).projects,
  },
  {
    name: 'config',
    about: 'check the configuration, or compare it with the store',
    load: async () => (await import('./config/operations.ts')).config,
  },
  {
    name: 'audit',
    about: 'check the ledger of the live store',
    load: async () => (await import('./health/audit.ts')).audit,
  },
  {
    name: 'backup',
    about: 'back up a SQLite store, even while it is in use',
    load: async () => (await import('./store/operations.ts')).backup,
  },
  {
    name: 'migrate',
    about: "update the store's schema",
    load: async () => (await import('./store/operations.ts')).migrate,
  },
];

/** Includes operations that have only routes. */
export async function allOperations(): Promise<readonly Operation[]> {
  const { today } = await import('./today/operations.ts');
  const described = await Promise.all(nouns.map(({ load }) => load()));
  return [...today, ...described.flat()];
}
