import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../domain/config.ts';
import type { ConsoleConfig } from '../domain/console.ts';
import type { AdminListen } from '../domain/listen.ts';
import type { HookFacts } from '../domain/notify.ts';
import type { PlatformFacts } from '../domain/platform.ts';
import type { ReadInvoice, ReadSources } from '../invoices/read-invoice.ts';
import type { CheckedPlatform } from '../platforms/check-platform.ts';
import type { FileComparison } from './config/compare-file.ts';
import type { Reads } from './health/reads.ts';
import type { Platform } from './projects/project-plan.ts';
import type { Jobs } from './reports/jobs.ts';

/**
 * Parts that an operation may need in addition to the store. A command and a service make each
 * their way.
 */
export interface OperatingParts {
  /** The apps of the configuration. */
  readonly fileApps: Config['apps'];
  /** The budgets of the configuration. */
  readonly budgets: Config['budgets'];
  /** The plans of the configuration; of a command, which sets none, the defaults. */
  readonly plans: Config['plans'];
  readonly catalog: Catalog;
  /** Where the store is. */
  readonly store: Config['store'];
  /** The platforms of the configuration, without what it takes to call them. */
  readonly platformFacts: readonly PlatformFacts[];
  readonly platformNames: readonly string[];
  /** The hooks of the configuration, without what is sent with a request. */
  readonly hooks: readonly HookFacts[];
  readonly notify: Config['notify'];
  /** Where browsers find the console. */
  readonly login: Pick<ConsoleConfig, 'url'> & { readonly listen: AdminListen };
  /** Works with the platforms of the configuration, which are open until then. */
  readonly withPlatforms: <T>(work: (platforms: readonly Platform[]) => Promise<T>) => Promise<T>;
  /** The same with those that bill by project; a command opens no other. */
  readonly withBillingPlatforms: OperatingParts['withPlatforms'];
  /** The same, each with what the configuration has of it; only of a command. */
  readonly withCheckedPlatforms: <T>(
    work: (platforms: readonly CheckedPlatform[]) => Promise<T>,
  ) => Promise<T>;
  /** A sentence for each app without a project on a platform of its models; only of a command. */
  readonly unboundApps: () => Promise<readonly string[]>;
  /** The files of an operation with an upload. */
  readonly files: Files;
  /** Works with a reader of invoices: in a service it has a thread of one at a time. */
  readonly withInvoices: <T>(work: (read: ReadSources) => Promise<T>) => Promise<T>;
  /** Only of a command. */
  readonly configFiles: ConfigFiles;
  /** Only of a service: its whole configuration. */
  readonly served: Config;
  /** Only of a service: its readings, which its readers share. */
  readonly reads: Reads;
  /** Only of a service: its long work. */
  readonly jobs: Jobs;
}

/** Configurations that a command is about: they may be wrong. */
export interface ConfigFiles {
  /** Checks a file, else that of every command. Throws what is wrong with it. */
  check(file: string | undefined): Promise<CheckedConfig>;
  /** What a start with the file would do to the store. */
  compare(): Promise<FileComparison>;
}

/** A configuration without a mistake. */
export interface CheckedConfig {
  readonly config: Config;
  /** What may not be meant. */
  readonly warnings: readonly string[];
}

/** Files of an invoice. Where they are parts of a request, another thread reads them. */
export interface Files {
  /** Empty where they have no names. */
  readonly names: readonly string[];
  /** Throws an InvoiceError. */
  read(): Promise<ReadInvoice>;
}
