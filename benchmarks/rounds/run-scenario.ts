import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createScope, type Scope } from '../../harness/scope.ts';
import type { Generator } from '../load/generator.ts';
import type { LoadJob } from '../load/job.ts';
import { expectedIn } from '../load/operation.ts';
import { readPeakBytes, resetPeak } from '../measure.ts';
import { readTreeMicros } from '../processes/tree-time.ts';
import type { RunningSide, Side } from '../sides/side.ts';
import { proveReplay } from './prove-replay.ts';
import { isDisturbed, type Round, roundOf } from './round.ts';
import { promptText, type Scenario } from './scenario.ts';
import { startUpstream, type Upstream } from './start-upstream.ts';

export interface Effort {
  readonly rounds: number;
  /** Once for each side, before the first round. */
  readonly firstWarmUpMs: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** How many measurements of a scenario may be discarded because of other work. */
  readonly repeatsMax: number;
}

/** All rounds of one side in one scenario. */
export interface SideRounds {
  readonly side: string;
  readonly rounds: readonly Round[];
  /** Undefined for a side without a process. */
  readonly peakBytes: number | undefined;
}

export interface NotRun {
  readonly side: string;
  readonly reason: string;
}

type Phase = Pick<LoadJob, 'pace' | 'warmUpMs' | 'measureMs'>;

/**
 * Code is compiled after thousands of calls, which might take minutes at the scenario's own pace.
 */
function warmUpOf({ upstreamMs }: Scenario, measureMs: number): Phase {
  const connections = upstreamMs === 0 ? 32 : 512;
  return { pace: { kind: 'closed', connections }, warmUpMs: 0, measureMs };
}

interface Entry {
  readonly side: Side;
  readonly running: RunningSide;
  readonly rounds: Round[];
}

interface Parts {
  readonly outer: Scope;
  readonly generator: Generator;
  readonly sides: readonly Side[];
  readonly scenario: Scenario;
  readonly effort: Effort;
  readonly folder: string;
}

/**
 * Runs one scenario with fresh processes: all sides run at once and are measured in turn. The order
 * rotates, so other work on the machine affects all of them.
 */
export async function runScenario(parts: Parts): Promise<{
  readonly results: readonly SideRounds[];
  readonly notStarted: readonly NotRun[];
}> {
  const { outer, generator, scenario, effort, folder } = parts;
  const scope = createScope();
  outer.add(scope.close);
  const upstream = await startUpstream(scope, { scenario, folder });
  const { entries, notStarted } = await startSides(scope, { ...parts, upstream });
  const warmUp = warmUpOf(scenario, effort.firstWarmUpMs);
  for (const { running } of entries) await measure(running, warmUp);
  for (const { running } of entries) if (running.pid !== undefined) resetPeak(running.pid);
  let remainingRepeats = effort.repeatsMax;
  for (let round = 0; round < effort.rounds; round++) {
    for (const { running, rounds } of rotated(entries, round)) {
      const phase = { ...effort, pace: scenario.pace };
      let measured = await measure(running, phase);
      for (; isDisturbed(measured) && remainingRepeats > 0; remainingRepeats--) {
        measured = await measure(running, phase);
      }
      rounds.push(measured);
    }
  }
  const results = entries.map(({ side, running: { pid }, rounds }) => {
    return { side: side.name, rounds, peakBytes: pid === undefined ? pid : readPeakBytes(pid) };
  });
  await scope.close();
  return { results, notStarted };

  async function measure(running: RunningSide, how: Phase): Promise<Round> {
    const { pid, databasePid } = running;
    const readDatabase = () => (databasePid === undefined ? 0 : readTreeMicros(databasePid));
    const countBefore = await upstream.count();
    const databaseBefore = readDatabase();
    const result = await generator.run({
      target: {
        ...running.target(promptText(scenario.prompt)),
        expects: expectedIn[scenario.operation],
      },
      pace: how.pace,
      hasIdempotencyKeys: scenario.hasIdempotencyKeys,
      warmUpMs: how.warmUpMs,
      measureMs: how.measureMs,
      watchedPids: [upstream.pid, ...(pid === undefined ? [] : [pid])],
    });
    const databaseMicros = databasePid === undefined ? undefined : readDatabase() - databaseBefore;
    return roundOf({ result, reached: (await upstream.count()) - countBefore, databaseMicros });
  }
}

/** A side that does not start is reported, and the others are measured all the same. */
async function startSides(
  scope: Scope,
  { sides, scenario, folder, upstream }: Parts & { readonly upstream: Upstream },
) {
  const entries: Entry[] = [];
  const notStarted: NotRun[] = [];
  for (const [index, side] of sides.entries()) {
    const sideFolder = join(folder, String(index));
    mkdirSync(sideFolder, { recursive: true });
    const { url: upstreamUrl, environment } = upstream;
    try {
      const { operation } = scenario;
      const setting = { upstreamUrl, environment, operation, folder: sideFolder };
      const running = await side.start(scope, setting);
      if (scenario.hasIdempotencyKeys && side.storesAnswers === true) {
        await proveReplay(running.target(promptText(scenario.prompt)));
      }
      entries.push({ side, running, rounds: [] });
    } catch (error) {
      notStarted.push({ side: side.name, reason: `${scenario.name}: ${String(error)}` });
    }
  }
  return { entries, notStarted };
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
