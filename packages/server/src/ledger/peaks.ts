import { sleep } from '../lib/clock.ts';
import { peakStep, selectPeakState } from '../store/sums/peaks.ts';
import { selectRollupStep } from '../store/sums/rollups.ts';
import type { RollupParts } from './rollups.ts';

/** Reads these once and writes few rows: some milliseconds. */
const stepCallsMax = 2_000;

/** Of each 17 minutes, up to the sums of reports. Each step is one transaction with its mark. */
export async function notePeaks(
  parts: Pick<RollupParts, 'store' | 'clock' | 'stepCalls' | 'isOver'>,
): Promise<void> {
  const { store, clock, stepCalls = stepCallsMax } = parts;
  while (parts.isOver?.() !== true) {
    const state = await store.read(selectPeakState);
    if (state === undefined || state.peakedUntil >= state.rolledUntil) return;
    const { peakedUntil: after, rolledUntil: until } = state;
    const next = (await store.read(selectRollupStep({ after, until }, stepCalls))) ?? until;
    const startedMs = clock.monotonic();
    await store.write(peakStep(after, next));
    // As long as it has held the database, it leaves it to the service.
    if (next < until) await sleep(clock, clock.monotonic() - startedMs);
  }
}
