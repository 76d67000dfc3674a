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
    about: 'the apps that may call, and their limits',
    async load() {
      const { apps, appChanges } = await import('./apps/operations.ts');
      const { appReports } = await import('./reports/app-page.ts');
      return [...apps, ...appReports, ...appChanges];
    },
  },
  {
    name: 'keys',
    about: 'the API keys of apps',
    load: async () => (await import('./keys/operations.ts')).keys,
  },
  {
    name: 'budgets',
    about: "budgets beside an app's own day",
    load: async () => (await import('./budgets/operations.ts')).budgets,
  },
  {
    name: 'console',
    about: 'who may use the console: links to log in',
    load: async () => (await import('./access/logins.ts')).logins,
  },
  {
    name: 'tokens',
    about: 'tokens of scripts for the admin API',
    load: async () => (await import('./access/tokens.ts')).tokens,
  },
  {
    name: 'runs',
    about: 'runs of apps, each with a ceiling of its own',
    load: async () => (await import('./runs/operations.ts')).runs,
  },
  {
    name: 'notify',
    about: 'hooks that are told of budgets and faults',
    load: async () => (await import('./hooks/operations.ts')).notify,
  },
  {
    name: 'wallets',
    about: "users' credits",
    load: async () => (await import('./wallets/operations.ts')).wallets,
  },
  {
    name: 'users',
    about: "forgetting a user's name",
    load: async () => (await import('./users/operations.ts')).users,
  },
  {
    name: 'usage',
    about: 'the spending of one app, or of every app, on a day',
    load: async () => (await import('./reports/usage.ts')).usage,
  },
  {
    name: 'report',
    about: 'what the calls of some days came to, as a file',
    load: async () => (await import('./reports/operations.ts')).report,
  },
  {
    name: 'rollups',
    about: 'the sums that reports are made of',
    load: async () => (await import('./reports/rebuild-rollups.ts')).rollups,
  },
  {
    name: 'calls',
    about: 'single calls',
    load: async () => (await import('./calls/operations.ts')).calls,
  },
  {
    name: 'log',
    about: 'the audit log: who changed what',
    load: async () => (await import('./audit-log/operations.ts')).log,
  },
  {
    name: 'holds',
    about: 'money that is held for running calls',
    load: async () => (await import('./calls/holds.ts')).holds,
  },
  {
    name: 'days',
    about: 'the days of the ledger',
    load: async () => (await import('./days/operations.ts')).days,
  },
  {
    name: 'reconcile',
    about: 'what platforms bill, beside what is booked',
    load: async () => (await import('./reconcile/operations.ts')).reconciling,
  },
  {
    name: 'models',
    about: 'the models that calls can be routed to',
    load: async () => (await import('./models/operations.ts')).models,
  },
  {
    name: 'platforms',
    about: 'the model platforms',
    load: async () => (await import('./platforms/operations.ts')).platforms,
  },
  {
    name: 'projects',
    about: 'the billing projects of apps',
    load: async () => (await import('./projects/operations.ts')).projects,
  },
  {
    name: 'config',
    about: 'the configuration file, by itself and against the store',
    load: async () => (await import('./config/operations.ts')).config,
  },
  {
    name: 'audit',
    about: "check the ledger's invariants on the live store",
    load: async () => (await import('./health/audit.ts')).audit,
  },
  {
    name: 'backup',
    about: 'copy a SQLite store, also while it is served',
    load: async () => (await import('./store/operations.ts')).backup,
  },
  {
    name: 'migrate',
    about: "bring the store's schema up to date",
    load: async () => (await import('./store/operations.ts')).migrate,
  },
];

/** Includes operations with routes only. */
export async function allOperations(): Promise<readonly Operation[]> {
  const { today } = await import('./today/operations.ts');
  const described = await Promise.all(nouns.map(({ load }) => load()));
  return [...today, ...described.flat()];
}
