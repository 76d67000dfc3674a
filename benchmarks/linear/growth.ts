import process from 'node:process';
import type { Reader } from '../../packages/server/test/linear/reader.ts';
import type { Shape } from '../../packages/server/test/linear/shapes.ts';

/** Characters of the smallest of three inputs; each is twice as long as the one before. */
const lengthMin = 256 * 1_024;
/** The maximum cost of twice the input: 2, plus noise and caches. */
export const growthMax = 2.6;
/** A growth below this is noise: an input that costs less delays nobody. */
export const floorMs = 10;

/**
 * This far below the limit one run suffices, and two of the smallest input. A quadratic cost grows
 * 4-fold. It shows unless one run of the middle input and two of the smallest are expensive.
 */
const growthClear = 2.3;
const smallestRuns = 2;
/** A miss is measured this many times as often: a busy machine makes many runs expensive. */
const missRuns = 4;

/** The cost of one shape in a reader. */
export interface Growth {
  readonly shape: string;
  /** CPU in ms of the three inputs, each the cheapest of its runs. */
  readonly ms: readonly [number, number, number];
  /** The larger of the two growths; 0 if the inputs cost less than the floor. */
  readonly growth: number;
  readonly isMiss: boolean;
}

/** Feeds a reader one shape at three sizes. */
export async function measureGrowth(
  { read, encode, lengthMax = 4 * lengthMin }: Reader,
  [shape, write]: readonly [string, Shape],
  runs: number,
): Promise<Growth> {
  const length = Math.min(lengthMin, lengthMax / 4);
  const texts = [write(length), write(2 * length), write(4 * length)];
  const inputs = encode === undefined ? texts : texts.map(encode);
  const ms = inputs.map(() => Number.POSITIVE_INFINITY);
  const figures = (): Growth => {
    const [once = 0, twice = 0, fourTimes = 0] = ms;
    const growth = Math.max(growthOf(once, twice), growthOf(twice, fourTimes));
    return { shape, ms: [once, twice, fourTimes], growth, isMiss: growth > growthMax };
  };
  for (let run = 0; run < runs || (run < missRuns * runs && figures().isMiss); run++) {
    for (const [index, input] of inputs.entries()) {
      for (let times = run === 0 && index === 0 ? smallestRuns : 1; times > 0; times--) {
        ms[index] = Math.min(ms[index] ?? 0, await cpuMsOf(() => read(input)));
      }
    }
    if (figures().growth <= growthClear) break;
  }
  return figures();
}

function growthOf(less: number, more: number): number {
  return more < floorMs ? 0 : more / less;
}

/** CPU of this process with its threads. */
async function cpuMsOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
