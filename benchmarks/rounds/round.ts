import type { LoadResult } from '../load/job.ts';

/** One measurement of a side, with facts that only the runner has. */
export interface Round extends LoadResult {
  /** Processor time of the side's database for each call; undefined without its own database. */
  readonly databaseMicrosPerCall: number | undefined;
}

/** Above this, other work affected the measurement. */
const othersCoresMax = 0.15;

/**
 * Counts calls that did not reach the upstream once as failures. Moves the time of the side's
 * database out of the time of everything else.
 */
export function roundOf(parts: {
  readonly result: LoadResult;
  /** The number of calls that reached the upstream during the job. */
  readonly reached: number;
  /** Processor time of the database during the job, with the warm-up. */
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

/** Whether other work needed the processor. A round with failures counts in any case. */
export function isDisturbed({ othersCpuMicros, seconds, failures }: Round): boolean {
  return failures === 0 && othersCpuMicros / seconds / 1e6 > othersCoresMax;
}
