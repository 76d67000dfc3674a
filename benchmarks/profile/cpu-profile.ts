import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The profile of one thread, as V8 writes it. Times are microseconds on the monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** One function at one call site. */
export interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    /** Counted from 0. */
    readonly lineNumber: number;
  };
  readonly children?: readonly number[];
}

export interface ThreadProfile {
  /** Node's own number: the main thread is 0. */
  readonly threadId: number;
  readonly profile: CpuProfile;
}

/** Reads every profile in a folder, the main thread's first. */
export function readProfiles(folder: string): readonly ThreadProfile[] {
  return readdirSync(folder)
    .flatMap((file) => {
      // CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile
      const threadId = /\.(\d+)\.\d+\.cpuprofile$/.exec(file)?.[1];
      if (threadId === undefined) return [];
      const profile: CpuProfile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return [{ threadId: Number(threadId), profile }];
    })
    .toSorted((a, b) => a.threadId - b.threadId);
}
