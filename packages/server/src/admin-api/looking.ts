import { consoleErrorOf } from '../operations/context/console-error.ts';
import type { AdminContext } from '../operations/context/context.ts';
import type { LiveState } from '../operations/context/live-state.ts';
import { createJobs } from '../operations/reports/jobs.ts';
import { createReads } from '../operations/today/reads.ts';
import { createChangeFeed } from './changes.ts';
import type { ConsoleParts } from './console-parts.ts';
import { createEventStreams } from './event-streams.ts';

export function createLooking(
  admin: AdminContext,
  parts: Pick<ConsoleParts, 'config' | 'catalog' | 'log'> & { readonly live: LiveState },
): Pick<ConsoleParts, 'reads' | 'jobs' | 'feed' | 'eventStreams'> {
  const { clock, ids } = admin;
  const { log } = parts;
  const reads = createReads(admin, parts);
  const jobs = createJobs({ clock, ids, wordsOf });
  const feed = createChangeFeed({ clock, read: reads.changes });
  return { reads, jobs, feed, eventStreams: createEventStreams() };

  function wordsOf(error: unknown): string | undefined {
    const known = consoleErrorOf(error);
    if (known === undefined) log.error({ error: String(error) }, 'a report of the console failed');
    return known?.message;
  }
}
