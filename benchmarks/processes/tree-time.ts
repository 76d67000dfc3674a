import { readdirSync, readFileSync } from 'node:fs';
import { tickMicros } from '../measure.ts';

/** A process in its parent's accounting, in ticks. */
export interface ProcessStat {
  readonly parentPid: number;
  readonly ownTicks: number;
  /** Of its children that have ended and were waited for. */
  readonly endedChildrenTicks: number;
}

/** Processor time of a process and its children, including ended ones. */
export function readTreeMicros(pid: number): number {
  return treeTicks(pid, allStats()) * tickMicros;
}

export function parentOf(pid: number): number {
  return statOf(readFileSync(`/proc/${pid}/stat`, 'utf8')).parentPid;
}

/** The ticks of a process, of its running children, and of its ended ones. */
export function treeTicks(pid: number, stats: ReadonlyMap<number, ProcessStat>): number {
  const root = stats.get(pid);
  if (root === undefined) throw new Error(`process ${pid} has ended`);
  const children = [...stats.values()].filter(({ parentPid }) => parentPid === pid);
  return children.reduce(
    (sum, child) => sum + child.ownTicks,
    root.ownTicks + root.endedChildrenTicks,
  );
}

export function statOf(line: string): ProcessStat {
  // The name of the process, in parentheses, may contain spaces: fields are counted after it.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  // Field 3 of the line is the first here; 4 is the parent, 14 to 17 are the times.
  const [, parentPid = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { parentPid, ownTicks: user + system, endedChildrenTicks: endedUser + endedSystem };
}

function allStats(): ReadonlyMap<number, ProcessStat> {
  const stats = new Map<number, ProcessStat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      stats.set(Number(name), statOf(readFileSync(`/proc/${name}/stat`, 'utf8')));
    } catch {
      // It has ended since the folder was listed: its parent accounts for it.
    }
  }
  return stats;
}
