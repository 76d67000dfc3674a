import type { Command } from 'commander';
import type { Noun } from '../operations/operation.ts';
import type { CommandContext } from './context.ts';

/** Adds a command, with its options and its action, to the program. */
export type Register = (program: Command, context: CommandContext) => void;

/** A command's line in the help text, and where the rest of it is. */
export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  /** Loads the module that has the command; nothing else of the service is loaded before. */
  readonly load: () => Promise<Register>;
}

/** The commands of a noun, whose operations describe them. */
function nounOf(load: () => Promise<Noun>): CommandEntry['load'] {
  return async () => {
    const { registerNoun } = await import('./as-command.ts');
    return registerNoun(await load());
  };
}

/** Every command, in the order of the help text. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    description: 'write a first configuration, of the simulator by default',
    load: async () => (await import('./init.ts')).registerInit,
  },
  {
    name: 'serve',
    description: 'start the gateway (Ctrl-C to stop)',
    load: async () => (await import('./serve.ts')).registerServe,
  },
  {
    name: 'demo',
    description: 'show what the gateway does, on a store and a configuration of its own',
    load: async () => (await import('@model-gateway/lab/demo')).registerDemo,
  },
  {
    name: 'apps',
    description: 'the apps that may call, and their limits',
    load: nounOf(async () => (await import('../operations/apps/operations.ts')).apps),
  },
  {
    name: 'keys',
    description: 'the API keys of apps',
    load: nounOf(async () => (await import('../operations/keys/operations.ts')).keys),
  },
  {
    name: 'budgets',
    description: "budgets beside an app's own day",
    load: nounOf(async () => (await import('../operations/budgets/operations.ts')).budgets),
  },
  {
    name: 'console',
    description: 'who may use the console: links to log in',
    load: nounOf(async () => (await import('../operations/access/logins.ts')).logins),
  },
  {
    name: 'tokens',
    description: 'tokens of scripts for the admin API',
    load: nounOf(async () => (await import('../operations/access/tokens.ts')).tokens),
  },
  {
    name: 'runs',
    description: 'runs of apps, each with a ceiling of its own',
    load: nounOf(async () => (await import('../operations/runs/operations.ts')).runs),
  },
  {
    name: 'notify',
    description: 'hooks that are told of budgets and faults',
    load: async () => (await import('./notify.ts')).registerNotify,
  },
  {
    name: 'wallets',
    description: "users' credits",
    load: async () => (await import('./wallets.ts')).registerWallets,
  },
  {
    name: 'users',
    description: "forgetting a user's name",
    load: async () => (await import('./users.ts')).registerUsers,
  },
  {
    name: 'usage',
    description: 'the spending of one app, or of every app, on a day',
    load: async () => (await import('./usage.ts')).registerUsage,
  },
  {
    name: 'report',
    description: 'what the calls of some days came to, as a file',
    load: async () => (await import('./report.ts')).registerReport,
  },
  {
    name: 'rollups',
    description: 'the sums that reports are made of',
    load: async () => (await import('./rollups.ts')).registerRollups,
  },
  {
    name: 'calls',
    description: 'single calls',
    load: nounOf(async () => (await import('../operations/calls/operations.ts')).calls),
  },
  {
    name: 'log',
    description: 'the audit log: who changed what',
    load: async () => (await import('./log.ts')).registerLog,
  },
  {
    name: 'holds',
    description: 'money that is held for running calls',
    load: async () => (await import('./holds.ts')).registerHolds,
  },
  {
    name: 'days',
    description: 'the days of the ledger',
    load: async () => (await import('./days.ts')).registerDays,
  },
  {
    name: 'reconcile',
    description: 'what platforms bill, beside what is booked',
    load: async () => (await import('./reconcile.ts')).registerReconcile,
  },
  {
    name: 'models',
    description: 'the models that calls can be routed to',
    load: async () => (await import('./models.ts')).registerModels,
  },
  {
    name: 'platforms',
    description: 'the model platforms',
    load: async () => (await import('./platforms-check.ts')).registerPlatforms,
  },
  {
    name: 'projects',
    description: 'the billing projects of apps',
    load: async () => (await import('./projects.ts')).registerProjects,
  },
  {
    name: 'config',
    description: 'the configuration file, by itself and against the store',
    load: async () => (await import('./config.ts')).registerConfig,
  },
  {
    name: 'audit',
    description: "check the ledger's invariants on the live store",
    load: async () => (await import('./audit.ts')).registerAudit,
  },
  {
    name: 'attack',
    description: 'spend caps to the last token against services that are killed meanwhile',
    load: async () => (await import('@model-gateway/lab/attack')).registerAttack,
  },
  {
    name: 'simulator',
    description: 'serve the simulator until SIGTERM',
    load: async () => (await import('@model-gateway/lab/simulator')).registerSimulator,
  },
  {
    name: 'backup',
    description: 'copy a SQLite store, also while it is served',
    load: async () => (await import('./backup.ts')).registerBackup,
  },
  {
    name: 'migrate',
    description: "bring the store's schema up to date",
    load: async () => (await import('./migrate.ts')).registerMigrate,
  },
  {
    name: 'completion',
    description: 'print a completion script: bash, zsh, fish',
    load: async () => (await import('./completion.ts')).registerCompletion,
  },
];
