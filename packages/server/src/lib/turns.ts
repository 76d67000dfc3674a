/** What is to be done once in a turn of the event loop, when all that came in it has been read. */
export interface Turns {
  /** Runs it at the end of this turn, in the order in which it was asked for. */
  atEnd(run: () => void): void;
}

/** One wake-up for all who ask in a turn. */
export function createTurns(): Turns {
  let due: (() => void)[] = [];
  return {
    atEnd(run) {
      due.push(run);
      if (due.length === 1) setImmediate(runAll);
    },
  };

  function runAll() {
    const all = due;
    due = [];
    for (const run of all) run();
  }
}
