import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../domain/config.ts';
import type { Log } from '../lib/log.ts';
import type { Reads } from '../operations/health/reads.ts';
import type { Platform } from '../operations/projects/project-plan.ts';
import type { Jobs } from '../operations/reports/jobs.ts';
import type { Guesses } from './auth/guesses.ts';
import type { Oidc } from './auth/oidc.ts';
import type { ChangeFeed } from './changes.ts';
import type { EventStreams } from './event-streams.ts';
import type { Uploads } from './uploads/uploads.ts';

/** What routes are made of, beside the operator's functions. */
export interface ConsoleParts {
  readonly config: Config;
  readonly catalog: Catalog;
  /** Those that are called. */
  readonly platforms: readonly Platform[];
  readonly log: Log;
  /** What is read for all who look. */
  readonly reads: Reads;
  /** Reads platforms' invoices in another thread. */
  readonly uploads: Uploads;
  /** What is long, and is made beside. */
  readonly jobs: Jobs;
  /** Tells who looks what has changed. */
  readonly feed: ChangeFeed;
  /** How many streams of events each session and token has. */
  readonly eventStreams: EventStreams;
  /** This service's. */
  readonly version: string;
  /** How many wrong codes came from where. */
  readonly guesses: Guesses;
  /** Logins by a company's own accounts; undefined where there are none. */
  readonly oidc?: Oidc | undefined;
}
