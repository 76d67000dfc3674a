import type { CountedUsage } from '../../catalog/cost.ts';
import type { Doubt, EstimateReason } from '../../domain/doubt.ts';
import type { AttemptOutcome, ReportedUsage } from '../../platforms/model/port.ts';
import type { Candidate } from './candidate.ts';

export interface AttemptRecord {
  readonly candidate: Candidate;
  readonly outcome: AttemptOutcome;
  readonly startedAt: number;
  readonly tookMs: number;
  readonly cost: bigint;
  /** `free`: not billed; `estimated`: the maximum that it might have cost. */
  readonly basis: 'free' | 'exact' | 'estimated';
  readonly reason: EstimateReason | undefined;
  readonly doubts: readonly Doubt[];
  /** Only if plausible. */
  readonly tokens: CountedUsage | undefined;
  /** Counts that cannot be true; `cost` is at least their price. */
  readonly impossible: ReportedUsage | undefined;
}

export interface Generated {
  /** If `attempts` is empty, the attempt that was not sent. */
  readonly last: AttemptRecord;
  readonly attempts: readonly AttemptRecord[];
  readonly heldPicoUsd: bigint;
}
