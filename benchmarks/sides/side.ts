import type { Scope } from '../../harness/scope.ts';
import type { Target } from '../load/job.ts';
import type { Operation } from '../load/operation.ts';
import type { Scenario } from '../rounds/scenario.ts';

/** One of the compared programs. A new side is a file here and a line in `all.ts`. */
export interface Side {
  readonly name: string;
  /** Whether it stores and replays a call with an idempotency key; proved in each run. */
  readonly storesAnswers?: true;
  /** The scenarios in which it is measured; all when undefined. */
  readonly isIn?: (scenario: Scenario) => boolean;
  /** Installs its requirements, once; returns why it cannot run here, or undefined. */
  readonly prepare?: () => Promise<string | undefined>;
  /** Starts it in front of the upstream; the scope stops what it starts. */
  start(scope: Scope, setting: Setting): Promise<RunningSide>;
}

export interface Setting {
  readonly upstreamUrl: string;
  /** The kind of its calls; a chat by default. */
  readonly operation?: Operation;
  /** An empty folder on a disk for its data and its log; removed afterwards. */
  readonly folder: string;
  /** The gateway's `limits` that differ from the defaults. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Additional keys of the gateway's configuration. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The launcher of another version of the gateway. */
  readonly launcher?: string;
  /** Options of Node itself, for a profile. */
  readonly nodeOptions?: readonly string[];
  /** Variables that its process requires, such as the certificates to trust. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningSide {
  /** The process whose time and memory are counted; undefined where there is none. */
  readonly pid: number | undefined;
  /** The first process of a separate database, whose time is counted separately. */
  readonly databasePid?: number;
  /** The call with which it forwards a prompt. */
  target(prompt: string): Target;
}

/** The model that every side requests from the upstream. */
export const benchModel = 'bench-model';

/** The embeddings model of every side. */
export const embeddingsModel = 'bench-embeddings';

/** The maximum length of a response on every side, in tokens. */
export const outputTokensMax = 64;
