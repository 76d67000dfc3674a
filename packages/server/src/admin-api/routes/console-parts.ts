import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../domain/config.ts';
import type { Log } from '../../lib/log.ts';
import type { Reads } from '../../operations/context/live-state.ts';
import type { Jobs, Platform } from '../../operations/context/parts.ts';
import type { Guesses } from '../auth/guesses.ts';
import type { Oidc } from '../auth/oidc.ts';
import type { Uploads } from '../uploads/uploads.ts';
import type { ChangeFeed } from '../views/changes.ts';
import type { EventStreams } from '../views/views.ts';

export interface ConsoleParts {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly platforms: readonly Platform[];
  readonly log: Log;
  readonly reads: Reads;
  readonly uploads: Uploads;
  readonly jobs: Jobs;
  readonly feed: ChangeFeed;
  readonly eventStreams: EventStreams;
  readonly version: string;
  readonly guesses: Guesses;
  /** Undefined without company logins. */
  readonly oidc?: Oidc | undefined;
}
