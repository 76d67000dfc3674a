import type { CpuProfile, ProfileNode } from './cpu-profile.ts';
import { locationOf, moduleOf } from './location.ts';

/** A running time, in microseconds. */
export interface Share {
  readonly name: string;
  readonly micros: number;
}

/** The time of a thread within a window; the largest shares first. */
export interface Shares {
  /** By function, without its callees. */
  readonly byFunction: readonly Share[];
  /** By package, or by file of this repository, without callees. */
  readonly byModule: readonly Share[];
  /** Functions without a source, by caller: `writev < listener.ts:75`. */
  readonly nativeByCaller: readonly Share[];
  /** By function of this repository, with all callees. */
  readonly withCalls: readonly Share[];
  /** All time but waiting. */
  readonly busyMicros: number;
}

/** V8's names of the time in which nothing runs. */
function isWaiting({ callFrame }: ProfileNode): boolean {
  return callFrame.functionName === '(idle)';
}

/** Sums up a thread's samples between two times. */
export function sharesOf(
  profile: CpuProfile,
  window: { readonly startedMicros: number; readonly endedMicros: number },
): Shares {
  const ownMicros = ownTimes(profile, window);
  const byFunction = new Map<string, number>();
  const byModule = new Map<string, number>();
  let busyMicros = 0;
  for (const node of profile.nodes) {
    const micros = ownMicros.get(node.id) ?? 0;
    if (micros === 0 || isWaiting(node)) continue;
    busyMicros += micros;
    add(byFunction, locationOf(node.callFrame), micros);
    add(byModule, moduleOf(node.callFrame), micros);
  }
  return {
    byFunction: sorted(byFunction),
    byModule: sorted(byModule),
    nativeByCaller: sorted(nativeTimes(profile, ownMicros)),
    withCalls: sorted(timesWithCalls(profile, ownMicros)),
    busyMicros,
  };
}

function ownTimes(
  { startTime, samples, timeDeltas }: CpuProfile,
  window: { readonly startedMicros: number; readonly endedMicros: number },
): ReadonlyMap<number, number> {
  const ownMicros = new Map<number, number>();
  let atMicros = startTime;
  for (const [index, id] of samples.entries()) {
    atMicros += timeDeltas[index] ?? 0;
    if (atMicros < window.startedMicros || atMicros > window.endedMicros) continue;
    // A sample covers the time until the next one.
    add(ownMicros, id, timeDeltas[index + 1] ?? 0);
  }
  return ownMicros;
}

/** The caller is the nearest function of a package or of this repository, not of Node itself. */
function nativeTimes(
  { nodes }: CpuProfile,
  ownMicros: ReadonlyMap<number, number>,
): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<string, number>();
  const [root] = nodes;
  if (root !== undefined) visit(root, 'Node itself');
  return times;

  function visit(node: ProfileNode, caller: string) {
    const { url, functionName } = node.callFrame;
    const isNative = url === '' && !functionName.startsWith('(');
    if (isNative) add(times, `${functionName} < ${caller}`, ownMicros.get(node.id) ?? 0);
    const next = url === '' || url.startsWith('node:') ? caller : locationOf(node.callFrame);
    for (const childId of node.children ?? []) {
      const child = byId.get(childId);
      if (child !== undefined) visit(child, next);
    }
  }
}

/** A recursive function is counted once, at its entry. */
function timesWithCalls(
  { nodes }: CpuProfile,
  ownMicros: ReadonlyMap<number, number>,
): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<string, number>();
  const open = new Set<string>();
  const [root] = nodes;
  if (root !== undefined) visit(root);
  return times;

  function visit(node: ProfileNode): number {
    const name = locationOf(node.callFrame);
    const isEntered = isOwn(node) && !open.has(name);
    if (isEntered) open.add(name);
    let micros = ownMicros.get(node.id) ?? 0;
    for (const childId of node.children ?? []) {
      const child = byId.get(childId);
      if (child !== undefined) micros += visit(child);
    }
    if (isEntered) {
      open.delete(name);
      add(times, name, micros);
    }
    return micros;
  }
}

function isOwn({ callFrame: { url } }: ProfileNode): boolean {
  return /\/(packages|benchmarks)\//.test(url) && !url.includes('/node_modules/');
}

function add<Key>(times: Map<Key, number>, key: Key, micros: number) {
  times.set(key, (times.get(key) ?? 0) + micros);
}

function sorted(times: ReadonlyMap<string, number>): readonly Share[] {
  return [...times]
    .map(([name, micros]) => ({ name, micros }))
    .toSorted((a, b) => b.micros - a.micros);
}
