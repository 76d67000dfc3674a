import { utcDayOf } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { selectMarks } from '../../store/queries/changes.ts';
import type { AdminContext } from '../context/context.ts';
import type { Changes, LiveState, ProblemReport, Reads } from '../context/live-state.ts';
import { createShared } from '../context/shared.ts';
import type { Overview } from '../documents/today.ts';
import { findProblems, type ProblemParts } from '../health/problems.ts';
import { createInvoiceCheck } from '../reconcile/invoice-check.ts';
import { createCurves } from '../reports/day-forecast.ts';
import { createOldKeys } from './old-keys.ts';

const problemsMs = 5_000;
const overviewMs = 1_000;
const hourMs = 3_600_000;

export function createReads(
  admin: AdminContext,
  parts: Omit<ProblemParts, 'live'> & {
    readonly live: LiveState;
    readonly log: Pick<Log, 'error'>;
  },
): Reads {
  const { clock } = admin;
  const readNow = (read: () => Promise<Overview>) => read();
  const overview = createShared({ clock, maxAgeMs: overviewMs, readNow });
  const problems = createShared({ clock, maxAgeMs: problemsMs, readNow: findAll });
  const readOldKeys = createOldKeys(admin);
  return {
    live: parts.live,
    curves: createCurves(admin),
    overview,
    problems: () => problems.read('', undefined),
    invoiceProblems: createInvoiceCheck(admin, parts),
    async changes() {
      const changes = await readChanges(admin);
      // A console that learns of a change must not get an older document.
      overview.invalidate();
      return changes;
    },
  };

  async function findAll(): Promise<ProblemReport> {
    const { problems, replicas } = await findProblems(admin, parts);
    return { problems: [...problems, ...(await readOldKeys())], replicas };
  }
}

async function readChanges({ store, clock }: AdminContext): Promise<Changes> {
  const nowMs = clock.now();
  // Includes the previous hour: its last rejections are written after its end.
  const sinceMs = (Math.floor(nowMs / hourMs) - 1) * hourMs;
  const marks = await store.readForOperator(selectMarks(utcDayOf(nowMs), sinceMs));
  const changes = new Map<string, string>();
  const add = (topic: string, text: string) =>
    changes.set(topic, `${changes.get(topic) ?? ''}${text}\n`);
  for (const { topic, text } of marks) {
    add(topic, text);
    // The overview shows the apps' days and settings.
    if (topic.startsWith('app:') || topic === 'registry') add('overview', `${topic} ${text}`);
  }
  return changes;
}
