import type { Scope } from '../../harness/scope.ts';
import type { Target } from '../load/job.ts';
import type { Operation } from '../load/operation.ts';
import type { Scenario } from '../rounds/scenario.ts';

/** One of the programs that are compared. A new one is a file here and a line in `all.ts`. */
export interface Side {
  readonly name: string;
  /** Whether a call with an idempotency key is stored, and answered again; proved in each run. */
  readonly storesAnswers?: true;
  /** The scenarios that it is measured in; all when undefined. */
  readonly isIn?: (scenario: Scenario) => boolean;
  /** Installs what it needs, once; answers why it cannot run here, or undefined. */
  readonly prepare?: () => Promise<string | undefined>;
  /** Starts it in front of the upstream; what it starts is stopped with the scope. */
  start(scope: Scope, setting: Setting): Promise<RunningSide>;
}

/** What a side is started with. */
export interface Setting {
  readonly upstreamUrl: string;
  /** What it is to be called for; a chat where nothing is said. */
  readonly operation?: Operation;
  /** An empty folder on a disk for its data and its log; removed afterwards. */
  readonly folder: string;
  /** The gateway's `limits` where they are not the defaults. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Further keys of the gateway's configuration. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The launcher of another version of the gateway. */
  readonly launcher?: string;
  /** Options of Node itself, for a profile. */
  readonly nodeOptions?: readonly string[];
  /** What its process must find in its environment, such as whom to trust. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A side that answers. */
export interface RunningSide {
  /** The process whose time and memory are counted; undefined where there is none. */
  readonly pid: number | undefined;
  /** The first process of a database of its own, whose time is told apart. */
  readonly databasePid?: number;
  /** How it is asked to pass a prompt on. */
  target(prompt: string): Target;
}

/** The model that every side asks the upstream for. */
export const benchModel = 'bench-model';

/** The model that every side asks for numbers. */
export const embeddingsModel = 'bench-embeddings';

/** The longest answer that every side asks for, in tokens. */
export const outputTokensMax = 64;
