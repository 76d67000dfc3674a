import type { Log } from '../../lib/log.ts';
import { consoleErrorOf } from '../../operations/context/console-error.ts';
import type { AdminContext } from '../../operations/context/context.ts';
import { createJobs } from '../../operations/reports/jobs.ts';
import { createReads } from '../../operations/today/reads.ts';
import { createChangeFeed } from './changes.ts';
import { createEventStreams } from './event-streams.ts';

export function createLooking(
  admin: AdminContext,
  parts: Parameters<typeof createReads>[1] & { readonly log: Pick<Log, 'error'> },
) {
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
