import type { ScopeCap } from './budget.ts';
import { type Restore, runClosedAt } from './restore.ts';

/** A part of an app's work with its own ceiling, time and key. */
export interface Run {
  readonly app: string;
  readonly id: string;
  /** Plan, name and budgets of the key are the parent's. */
  readonly parentKeyId: string;
  /** Spent and held together. */
  readonly maxCostPicoUsd: bigint;
  /** Restricts the parent's models; undefined: all of them. */
  readonly models: readonly string[] | undefined;
  /** Undefined where each call names its own. */
  readonly userId: string | undefined;
  readonly label: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly endedAtMs: number | undefined;
}

/** Of one app. */
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
