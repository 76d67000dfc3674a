import type { Log } from '../lib/log.ts';
import type { Processor } from '../lib/processor.ts';
import { type WorkListener, type WorkOwner, type WorkStage, workStages } from '../lib/work.ts';

/** `other` is work that is not measured. */
export type StallStage = WorkStage | 'other';

export interface Stalls {
  readonly count: number;
  readonly ms: number;
}

export interface StallWatch {
  readonly record: WorkListener;
  /** Logs a stall when it is over. */
  start(): void;
  counts(): ReadonlyMap<StallStage, Stalls>;
}

const stages: readonly StallStage[] = [...workStages, 'other'];

/** An event loop blocked this long has stalled. */
const stallMs = 200;
const checkIntervalMs = 50;

export function createStallWatch(parts: {
  readonly processor: Pick<Processor, 'nowMs' | 'after'>;
  readonly log: Pick<Log, 'warn'>;
}): StallWatch {
  const { processor, log } = parts;
  const counts = new Map<StallStage, Stalls>(stages.map((stage) => [stage, { count: 0, ms: 0 }]));
  let checkedAtMs = 0;
  // Milliseconds since the last check.
  let workedMs = 0;
  let longest: Piece | undefined;
  return { record, start, counts: () => counts };

  function record(owner: WorkOwner, stage: WorkStage, tookMs: number) {
    workedMs += tookMs;
    if (longest === undefined || tookMs > longest.tookMs) longest = { owner, stage, tookMs };
  }

  function start() {
    checkedAtMs = processor.nowMs();
    processor.after(checkIntervalMs, check);
  }

  function check() {
    const nowMs = processor.nowMs();
    const stalledMs = nowMs - checkedAtMs - checkIntervalMs;
    if (stalledMs >= stallMs || workedMs >= stallMs) add(Math.max(stalledMs, workedMs));
    checkedAtMs = nowMs;
    workedMs = 0;
    longest = undefined;
    processor.after(checkIntervalMs, check);
  }

  function add(ms: number) {
    // Unmeasured work, such as a report, has no app.
    const piece = workedMs * 2 >= ms ? longest : undefined;
    const { stage = 'other', owner } = piece ?? {};
    const { count, ms: before } = counts.get(stage) ?? { count: 0, ms: 0 };
    counts.set(stage, { count: count + 1, ms: before + ms });
    const { app, keyId, route } = owner ?? {};
    log.warn({ stalledMs: Math.round(ms), stage, route, keyId, app }, 'event loop stalled');
  }
}

interface Piece {
  readonly owner: WorkOwner;
  readonly stage: WorkStage;
  readonly tookMs: number;
}
