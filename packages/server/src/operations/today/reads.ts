import { readChanges } from '../audit-log/changes.ts';
import type { AdminContext } from '../context/context.ts';
import type { FoundProblems, LiveState, Reads } from '../context/live-state.ts';
import { findProblems, type ProblemParts } from '../health/problems.ts';
import { createCurves } from '../reports/curves.ts';

const keptMs = 5_000;

export function createReads(
  admin: AdminContext,
  parts: Omit<ProblemParts, 'live'> & { readonly live: LiveState },
): Reads {
  let kept: { readonly atMs: number; readonly found: Promise<FoundProblems> } | undefined;
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
