import { utcDayOf } from '../../lib/clock.ts';
import { selectMarks } from '../../store/queries/changes.ts';
import type { AdminContext } from '../context/context.ts';
import type { Changes, FoundProblems, LiveState, Reads } from '../context/live-state.ts';
import { findProblems, type ProblemParts } from '../health/problems.ts';
import { createCurves } from '../reports/pace.ts';

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

async function readChanges({ store, clock }: AdminContext): Promise<Changes> {
  const marks = await store.readAside(selectMarks(utcDayOf(clock.now())));
  const changes = new Map<string, string>();
  const add = (topic: string, text: string) =>
    changes.set(topic, `${changes.get(topic) ?? ''}${text}\n`);
  for (const { topic, text } of marks) {
    add(topic, text);
    // What Today shows are the apps' days and settings.
    if (topic.startsWith('app:') || topic === 'registry') add('overview', `${topic} ${text}`);
  }
  return changes;
}
