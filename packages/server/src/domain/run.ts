import type { ScopeCap } from './budget.ts';
import { type Restore, runClosedAt } from './restore.ts';

/** A part of an app's work with its own budget, time limit and key. */
export interface Run {
  readonly app: string;
  readonly id: string;
  /** The key has its parent's rate limit, name and budgets. */
  readonly parentKeyId: string;
  /** Limits spent plus reserved money. */
  readonly maxCostPicoUsd: bigint;
  /** Restricts the parent's models; undefined: all of them. */
  readonly models: readonly string[] | undefined;
  /** Undefined if each call names its own user. */
  readonly userId: string | undefined;
  readonly label: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly endedAtMs: number | undefined;
}

/** Per app. */
export const openRunsMax = 10_000;

export function isOpen({ expiresAtMs, endedAtMs }: Run, nowMs: number): boolean {
  return endedAtMs === undefined && nowMs < expiresAtMs;
}

export function scopeOfRun({ app, id }: Pick<Run, 'app' | 'id'>) {
  return { scope: `run:${app}:${id}`, period: 'run' };
}

export function capOfRun(run: Run, restore?: Restore): ScopeCap {
  const closedAt = restore && runClosedAt(restore, run);
  return { ...scopeOfRun(run), cap: run.maxCostPicoUsd, mode: 'enforce', closedAt };
}
