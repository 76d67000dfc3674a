import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../domain/config.ts';
import type { ConsoleConfig } from '../../domain/console.ts';
import type { AdminListenAddress } from '../../domain/listen.ts';
import type { WebhookFacts } from '../../domain/notify.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import type { ReadInvoice, ReadSources } from '../../invoices/read-invoice.ts';
import type { CheckedPlatform } from '../../platforms/check-platform.ts';
import type { Platform } from '../../platforms/model/port.ts';
import type { FileComparison } from '../documents/config.ts';
import type { Job } from '../documents/jobs.ts';
import type { Reads } from './live-state.ts';

export type { Platform };

export interface OperatingParts {
  readonly fileApps: Config['apps'];
  readonly budgets: Config['budgets'];
  /** A command gets the defaults. */
  readonly plans: Config['plans'];
  readonly catalog: Catalog;
  readonly store: Config['store'];
  /** Excludes the parts that calls need. */
  readonly platformFacts: readonly PlatformFacts[];
  readonly platformNames: readonly string[];
  /** Excludes the parts that requests need. */
  readonly hooks: readonly WebhookFacts[];
  readonly notify: Config['notify'];
  readonly login: Pick<ConsoleConfig, 'url'> & { readonly listen: AdminListenAddress };
  /** The platforms are open only during `work`. */
  readonly withPlatforms: <T>(work: (platforms: readonly Platform[]) => Promise<T>) => Promise<T>;
  /** Opens only platforms that bill by project. */
  readonly withBillingPlatforms: OperatingParts['withPlatforms'];
  /** Includes their configuration; only for a command. */
  readonly withCheckedPlatforms: <T>(
    work: (platforms: readonly CheckedPlatform[]) => Promise<T>,
  ) => Promise<T>;
  /** One sentence per app without a project on a platform of its models; only for a command. */
  readonly unboundApps: () => Promise<readonly string[]>;
  readonly files: Files;
  /** A service reads invoices in a thread, one at a time. */
  readonly withInvoices: <T>(work: (read: ReadSources) => Promise<T>) => Promise<T>;
  /** Only in a command. */
  readonly configFiles: ConfigFiles;
  /** Only in a service. */
  readonly served: Config;
  /** Only in a service; readers share them. */
  readonly reads: Reads;
  /** Only in a service. */
  readonly jobs: Jobs;
}

/** The files may be invalid. */
export interface ConfigFiles {
  /** Undefined: the file that all commands use. Throws the file's faults. */
  check(file: string | undefined): Promise<CheckedConfig>;
  compare(): Promise<FileComparison>;
}

export interface CheckedConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

export interface Files {
  /** Empty if the files have no names. */
  readonly names: readonly string[];
  /** Throws an InvoiceError. */
  read(): Promise<ReadInvoice>;
}

/** Jobs run one after the other and are stored for a day. Only the owner sees a job. */
export interface Jobs {
  /** Undefined where too many jobs wait. */
  start(
    owner: string,
    kind: JobKind,
    work: (reportProgress: ProgressReporter) => Promise<JobResult>,
  ): Job | undefined;
  /** Undefined for an unknown job or another owner's job. */
  find(owner: string, id: string): Job | undefined;
  fileOf(owner: string, id: string): JobResult['file'] | undefined;
  end(owner: string, id: string): boolean;
}

export type JobKind = Job['kind'];

/** Throws once the job was canceled. */
export type ProgressReporter = (text: string, percent?: number) => void;

export interface JobResult {
  readonly result?: object;
  readonly file?: { readonly name: string; readonly text: string };
}
