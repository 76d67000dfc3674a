import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Generator } from '../load/generator.ts';
import type { LoadJob, LoadResult } from '../load/job.ts';
import { forgetPeak, readPeakBytes } from '../measure.ts';
import { scriptPath, startServer } from '../processes/child.ts';
import { createScope, type Scope } from '../processes/scope.ts';
import type { RunningSide, Side } from '../sides/side.ts';
import { promptText, type Scenario } from './scenario.ts';

/** How long, and how often. */
export interface Effort {
  readonly rounds: number;
  /** Once for each side, before the first round. */
  readonly firstWarmUpMs: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** How many rounds may be thrown away because something else needed the processor. */
  readonly repeatsMax: number;
}

/** All rounds of one side in one scenario. */
export interface SideRounds {
  readonly side: string;
  readonly rounds: readonly LoadResult[];
  /** Undefined for a side without a process. */
  readonly peakBytes: number | undefined;
}

type Phase = Pick<LoadJob, 'pace' | 'warmUpMs' | 'measureMs'>;

/**
 * Code is compiled after thousands of calls, which the scenario's own pace may take minutes for.
 */
function warmUpOf({ upstreamMs }: Scenario, measureMs: number): Phase {
  const connections = upstreamMs === 0 ? 32 : 512;
  return { pace: { kind: 'closed', connections }, warmUpMs: 0, measureMs };
}

/** Above it, a round was shared with something else. */
const othersCoresMax = 0.15;

interface Entry {
  readonly side: Side;
  readonly running: RunningSide;
  readonly rounds: LoadResult[];
}

/**
 * Runs one scenario with fresh processes: all sides are up at once and are measured in turn, in an
 * order that rotates, so that what else happens on the machine meets all of them.
 */
export async function runScenario(parts: {
  readonly outer: Scope;
  readonly generator: Generator;
  readonly sides: readonly Side[];
  readonly scenario: Scenario;
  readonly effort: Effort;
  readonly folder: string;
}): Promise<readonly SideRounds[]> {
  const { outer, generator, scenario, effort, folder } = parts;
  const scope = createScope();
  outer.add(scope.close);
  const upstream = await startServer(scope, {
    argv: [scriptPath('upstream.ts'), '--delay-ms', String(scenario.upstreamMs)],
  });
  const entries: Entry[] = [];
  for (const [index, side] of parts.sides.entries()) {
    const sideFolder = join(folder, String(index));
    mkdirSync(sideFolder, { recursive: true });
    const setting = { upstreamUrl: upstream.url, folder: sideFolder };
    entries.push({ side, running: await side.start(scope, setting), rounds: [] });
  }
  const warmUp = warmUpOf(scenario, effort.firstWarmUpMs);
  for (const { running } of entries) await measure(running, warmUp);
  for (const { running } of entries) if (running.pid !== undefined) forgetPeak(running.pid);
  let kept = 0;
  for (let round = 0; kept < effort.rounds; round++) {
    const results = new Map<Entry, LoadResult>();
    for (const entry of rotated(entries, round)) {
      results.set(entry, await measure(entry.running, { ...effort, pace: scenario.pace }));
    }
    const mayRepeat = round - kept < effort.repeatsMax;
    if (mayRepeat && [...results.values()].some(isDisturbed)) continue;
    for (const [entry, result] of results) entry.rounds.push(result);
    kept += 1;
  }
  const results = entries.map(({ side, running: { pid }, rounds }) => {
    return { side: side.name, rounds, peakBytes: pid === undefined ? pid : readPeakBytes(pid) };
  });
  await scope.close();
  return results;

  async function measure(running: RunningSide, how: Phase): Promise<LoadResult> {
    const before = await countOf(upstream.url);
    const job: LoadJob = {
      target: running.target(promptText(scenario.prompt)),
      pace: how.pace,
      hasIdempotencyKeys: scenario.hasIdempotencyKeys,
      warmUpMs: how.warmUpMs,
      measureMs: how.measureMs,
      watchedPids: [upstream.pid, ...(running.pid === undefined ? [] : [running.pid])],
    };
    const result = await generator.run(job);
    const reached = (await countOf(upstream.url)) - before;
    if (result.failures === 0 && reached !== result.sent) {
      throw new Error(`${result.sent} calls were answered, but ${reached} reached the upstream`);
    }
    return result;
  }
}

/** A failure counts, whatever else happened meanwhile. */
function isDisturbed({ othersCpuMicros, seconds, failures }: LoadResult): boolean {
  return failures === 0 && othersCpuMicros / seconds / 1e6 > othersCoresMax;
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

async function countOf(upstreamUrl: string): Promise<number> {
  const response = await fetch(upstreamUrl);
  return Number(await response.text());
}
