import type { Round } from '../rounds/round.ts';
import type { SideRounds } from '../rounds/run-scenario.ts';
import type { Scenario } from '../rounds/scenario.ts';

/** One side in one scenario: medians of its rounds, and medians of the rounds' ratios. */
export interface Row {
  readonly scenario: string;
  readonly side: string;
  /** Processor time of the side for each call, all threads; undefined without a process. */
  readonly cpuMicrosPerCall: number | undefined;
  readonly mainThreadMicrosPerCall: number | undefined;
  readonly cpuTimesFloor: number | undefined;
  /** Processor time of the side's database for each call, in addition to the above. */
  readonly databaseMicrosPerCall: number | undefined;
  readonly callsPerSecond: number;
  readonly callsTimesFloor: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Above the upstream's own time under the same load. */
  readonly addedP50Ms: number;
  readonly addedP99Ms: number;
  readonly peakBytes: number | undefined;
  readonly failures: number;
  /** Of one core: near 1, the load generator limits the figures. */
  readonly generatorShare: number;
  readonly upstreamShare: number;
  /** Other work on the machine, in cores: near 0 on a quiet one. */
  readonly othersShare: number;
  readonly rounds: readonly Round[];
}

/** Summarizes a scenario. `floor` and `direct` name the sides of the comparison. */
export function rowsOf(parts: {
  readonly scenario: Scenario;
  readonly results: readonly SideRounds[];
  readonly floor: string;
  readonly direct: string;
}): readonly Row[] {
  const { scenario, results } = parts;
  const floor = results.find(({ side }) => side === parts.floor)?.rounds ?? [];
  const direct = results.find(({ side }) => side === parts.direct)?.rounds ?? [];
  return results.map(({ side, rounds, peakBytes }) => {
    const ofRounds = (read: (round: Round) => number) => medianOfNumbers(rounds.map(read));
    const timesFloor = (read: (round: Round) => number) =>
      medianOfNumbers(rounds.flatMap((round, index) => ratio(round, floor[index], read)));
    const p50Ms = ofRounds((round) => ofAnswers(round, round.p50Ms));
    const p99Ms = ofRounds((round) => ofAnswers(round, round.p99Ms));
    const hasProcess = peakBytes !== undefined;
    return {
      ...{ scenario: scenario.name, side, p50Ms, p99Ms, peakBytes, rounds },
      cpuMicrosPerCall: hasProcess ? ofRounds(cpuPerCall) : undefined,
      mainThreadMicrosPerCall: hasProcess ? ofRounds(mainPerCall) : undefined,
      cpuTimesFloor: hasProcess ? timesFloor(cpuPerCall) : undefined,
      databaseMicrosPerCall: rounds.some((round) => round.databaseMicrosPerCall !== undefined)
        ? ofRounds((round) => round.databaseMicrosPerCall ?? Number.NaN)
        : undefined,
      callsPerSecond: ofRounds(rate),
      callsTimesFloor: timesFloor(rate),
      addedP50Ms: p50Ms - median(direct.map((round) => round.p50Ms)),
      addedP99Ms: p99Ms - median(direct.map((round) => round.p99Ms)),
      failures: rounds.reduce((sum, round) => sum + round.failures, 0),
      generatorShare: ofRounds(({ ownCpuMicros, seconds }) => ownCpuMicros / seconds / 1e6),
      othersShare: ofRounds(({ othersCpuMicros, seconds }) => othersCpuMicros / seconds / 1e6),
      upstreamShare: ofRounds(({ cpu, seconds }) => (cpu[0]?.totalMicros ?? 0) / seconds / 1e6),
    };
  });
}

function ratio(
  round: Round,
  floorRound: Round | undefined,
  read: (round: Round) => number,
): readonly number[] {
  return floorRound === undefined ? [] : [read(round) / read(floorRound)];
}

function rate({ calls, seconds }: Round): number {
  return calls / seconds;
}

// The upstream is watched first, the side after it.
function cpuPerCall(round: Round): number {
  return ofAnswers(round, (round.cpu[1]?.totalMicros ?? Number.NaN) / round.calls);
}

function mainPerCall(round: Round): number {
  return ofAnswers(round, (round.cpu[1]?.mainMicros ?? Number.NaN) / round.calls);
}

/** A side with more load than its capacity might return no response in the measured part. */
function ofAnswers({ calls }: Round, value: number): number {
  return calls === 0 ? Number.NaN : value;
}

/** NaN if no round has a number. */
function medianOfNumbers(values: readonly number[]): number {
  return median(values.filter((value) => !Number.isNaN(value)));
}

/** The middle value; of an even number of values, the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}
