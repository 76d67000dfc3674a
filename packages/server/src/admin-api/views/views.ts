import { ConsoleError, consoleErrorOf } from '../../operations/context/console-error.ts';
import type { AdminContext } from '../../operations/context/context.ts';
import { createJobs } from '../../operations/reports/jobs.ts';
import { createReads } from '../../operations/today/reads.ts';
import { createChangeFeed } from './changes.ts';

export function createViews(admin: AdminContext, parts: Parameters<typeof createReads>[1]) {
  const { clock, ids } = admin;
  const { log } = parts;
  const reads = createReads(admin, parts);
  const jobs = createJobs({ clock, ids, wordsOf });
  const feed = createChangeFeed({ clock, read: reads.changes });
  return { reads, jobs, feed, eventStreams: createEventStreams() };

  function wordsOf(error: unknown): string | undefined {
    const known = consoleErrorOf(error);
    if (known === undefined) log.error({ error: String(error) }, 'console report failed');
    return known?.message;
  }
}

export interface EventStreams {
  /** Open until `disconnected` fires; throws LIMITED above a limit. */
  open(loginId: string, disconnected: AbortSignal): void;
}

const ofLoginMax = 4;
const allMax = 30;

function createEventStreams(): EventStreams {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    open(loginId, disconnected) {
      const count = counts.get(loginId) ?? 0;
      if (count >= ofLoginMax) {
        throw tooMany(`this login has ${ofLoginMax} event streams; close one, or poll`);
      }
      if (all >= allMax) {
        throw tooMany(`${allMax} event streams are open; try again in a minute, or poll`);
      }
      if (disconnected.aborted) return;
      add(loginId, 1);
      disconnected.addEventListener('abort', () => add(loginId, -1), { once: true });
    },
  };

  function add(loginId: string, change: 1 | -1) {
    all += change;
    const count = (counts.get(loginId) ?? 0) + change;
    if (count === 0) counts.delete(loginId);
    else counts.set(loginId, count);
  }
}

function tooMany(message: string): ConsoleError {
  return new ConsoleError('LIMITED', message);
}
