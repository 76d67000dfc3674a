import type { ScopeCap } from './budget.ts';
import { type Restore, runClosedAt } from './restore.ts';

/** A part of an app's work with a ceiling, a time and a key of its own. */
export interface Run {
  readonly app: string;
  readonly id: string;
  /** The key that it was made with: plan, name and budgets of the key are this one's. */
  readonly parentKeyId: string;
  /** The most that its calls may spend and hold together. */
  readonly maxCostPicoUsd: bigint;
  /** The only models that it may ask of those of its parent; undefined for all of them. */
  readonly models: readonly string[] | undefined;
  /** The user of all its calls; undefined where each names its own. */
  readonly userId: string | undefined;
  readonly label: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When it was ended before it expired. */
  readonly endedAtMs: number | undefined;
}

/** The most runs of an app that are open at once. */
export const openRunsMax = 10_000;

/** Whether its calls may be made at a moment. */
export function isOpen({ expiresAtMs, endedAtMs }: Run, nowMs: number): boolean {
  return endedAtMs === undefined && nowMs < expiresAtMs;
}

/** What its calls are counted under: it has one period, which does not reset. */
export function scopeOfRun({ app, id }: Pick<Run, 'app' | 'id'>) {
  return { scope: `run:${app}:${id}`, period: 'run' };
}

/** What its calls are held to. */
export function capOfRun(run: Run, restore?: Restore): ScopeCap {
  const closedAt = restore && runClosedAt(restore, run);
  return { ...scopeOfRun(run), cap: run.maxCostPicoUsd, mode: 'enforce', closedAt };
}
