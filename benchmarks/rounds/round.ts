import type { LoadResult } from '../load/job.ts';

/** One measurement of a side, with what only the runner can know of it. */
export interface Round extends LoadResult {
  /** Processor time of the side's database for each call; undefined without one of its own. */
  readonly databaseMicrosPerCall: number | undefined;
}

/** Above it, a measurement was shared with something else. */
const othersCoresMax = 0.15;

/**
 * Takes the calls that the upstream did not see, or saw twice, for failures; and takes the time of
 * the side's database from what it has used around the job, out of that of everything else.
 */
export function roundOf(parts: {
  readonly result: LoadResult;
  /** How many calls reached the upstream meanwhile. */
  readonly reached: number;
  /** What the database has used meanwhile, warm-up included. */
  readonly databaseMicros: number | undefined;
}): Round {
  const { result, reached, databaseMicros } = parts;
  const { failures, sent, calls, othersCpuMicros } = result;
  const strayCalls = failures === 0 ? Math.abs(reached - sent) : 0;
  const databaseMicrosPerCall = databaseMicros === undefined ? undefined : databaseMicros / sent;
  const stray = `${sent} calls were answered, but ${reached} reached the upstream`;
  return {
    ...result,
    databaseMicrosPerCall,
    othersCpuMicros: Math.max(0, othersCpuMicros - (databaseMicrosPerCall ?? 0) * calls),
    failures: failures + strayCalls,
    firstFailure: strayCalls > 0 ? stray : result.firstFailure,
  };
}

/** Whether something else needed the processor. A failure counts, whatever else happened. */
export function isDisturbed({ othersCpuMicros, seconds, failures }: Round): boolean {
  return failures === 0 && othersCpuMicros / seconds / 1e6 > othersCoresMax;
}
