import process from 'node:process';

/** The steps of a check: each prints a line, and any failure ends the run with 1. */
export interface Steps {
  /** Runs one step; its line contains the result. */
  step(name: string, work: () => Promise<string | undefined> | Promise<void>): Promise<void>;
  /** Prints the outcome. */
  close(): void;
}

export function createSteps(): Steps {
  const begunMs = performance.now();
  let surprises = 0;
  return {
    async step(name, work) {
      const fromMs = performance.now();
      try {
        const result = await work();
        print(`${name}: yes${result ? `, ${result}` : ''} (${secondsFrom(fromMs)})`);
      } catch (error) {
        surprises += 1;
        const reason = error instanceof Error ? error.message : String(error);
        print(`${name}: NO, ${reason} (${secondsFrom(fromMs)})`);
      }
    },
    close() {
      const summary = surprises === 0 ? 'no surprise' : `${surprises} surprises`;
      print(`${summary} (${secondsFrom(begunMs)} in all)`);
      process.exitCode = surprises === 0 ? 0 : 1;
    },
  };
}

/** Throws an Error with `what` if the condition is false. */
export function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

function secondsFrom(fromMs: number): string {
  return `${((performance.now() - fromMs) / 1_000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
