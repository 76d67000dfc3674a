import { type Changes, readChanges } from '../audit-log/changes.ts';
import type { AdminContext } from '../context.ts';
import type { LiveState } from '../live-state.ts';
import { type Curves, createCurves } from '../reports/curves.ts';
import type { Problem } from '../reports/documents.ts';
import { findProblems, type ProblemParts } from './problems.ts';

/** Concurrent readers share one read. */
export interface Reads {
  readonly live: LiveState;
  /** Of days like today; kept for an hour. */
  curves(): Promise<Curves>;
  /** Read every few seconds, whatever the number of readers. */
  problems(): Promise<Found>;
  /** The current marks, for one reader. */
  changes(): Promise<Changes>;
}

interface Found {
  readonly problems: readonly Problem[];
  readonly replicas: number;
}

const keptMs = 5_000;

export function createReads(
  admin: AdminContext,
  parts: Omit<ProblemParts, 'live'> & { readonly live: LiveState },
): Reads {
  let kept: { readonly atMs: number; readonly found: Promise<Found> } | undefined;
  return {
    live: parts.live,
    curves: createCurves(admin),
    problems() {
      const now = admin.clock.monotonic();
      if (kept === undefined || now - kept.atMs >= keptMs) {
        const found = findProblems(admin, parts);
        kept = { atMs: now, found };
        found.catch(() => {
          kept = undefined;
        });
      }
      return kept.found;
    },
    changes: () => readChanges(admin),
  };
}
