import { AdminError } from './admin-error.ts';

/** Long reads of operators run one after the other. */
export interface Turns {
  /** `onWait` gets the number of earlier works. Throws an AdminError where too many wait. */
  take<T>(work: () => Promise<T>, onWait?: (before: number) => void): Promise<T>;
}

const waitingMax = 5;

/** Two reads at once take twice as much from the process's calls, for as long. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let taken = 0;
  return {
    async take(work, onWait = () => undefined) {
      if (taken > waitingMax) {
        throw new AdminError(
          `a report is being made, and ${waitingMax} wait for it to end: try again when they have ended`,
        );
      }
      if (taken > 0) onWait(taken);
      taken += 1;
      const mine = last.then(work).finally(() => {
        taken -= 1;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
