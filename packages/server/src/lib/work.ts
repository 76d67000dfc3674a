export interface Work {
  /** Never goes back. */
  nowMs(): number;
  /**
   * Waits for the app's turn to do a large piece of work, which must begin at once; `note` ends the
   * turn. A request that calls it again before `note` keeps its turn, after a rest.
   */
  turn(this: RequestWork): Promise<void>;
  /** Call it after failures too. */
  note(this: RequestWork, stage: WorkStage, sinceMs: number): void;
}

export interface RequestWork extends Work, WorkOwner {
  hasTurn?: boolean;
  resume?: (() => void) | undefined;
  /** This request finishes before other requests of its app begin. */
  hasBegun?: boolean;
}

export const largeBytes = 16_384;

export async function inTurn<Result>(
  work: RequestWork,
  stage: WorkStage,
  run: () => Result,
): Promise<Result> {
  await work.turn();
  const startedMs = work.nowMs();
  try {
    return run();
  } finally {
    work.note(stage, startedMs);
  }
}

export interface Turns {
  /** `end` must follow. */
  next(app: string, position?: 'ahead'): Promise<void>;
  /** Work that began at `startedMs` keeps its turn after others have used the event loop. */
  rest(startedMs: number): Promise<void>;
  /** Ends the turn: the work waits or is done. */
  end(startedMs: number): void;
}

/**
 * Body: reading, checking, admitting; request: writing to a platform; response: reading; answer:
 * writing.
 */
export type WorkStage = (typeof workStages)[number];

export const workStages = ['body', 'request', 'response', 'answer'] as const;

export interface WorkOwner {
  readonly app: string;
  readonly keyId: string;
  readonly route: string;
}

/** Long pieces are reported at once, short ones as sums. */
export type WorkListener = (owner: WorkOwner, stage: WorkStage, tookMs: number) => void;

/** Shorter pieces are summed per app, since most requests have only short pieces. */
const shortMs = 50;

export function createWork(nowMs: () => number, turns: Turns, listener: WorkListener): Work {
  const unreportedMs = new Map<string, number>();
  return {
    nowMs,
    async turn() {
      if (this.hasTurn === true) {
        return new Promise((resolve) => {
          this.resume = resolve;
        });
      }
      await turns.next(this.app, this.hasBegun === true ? 'ahead' : undefined);
      this.hasTurn = true;
    },
    note(stage, sinceMs) {
      this.hasBegun = true;
      if (this.resume !== undefined) {
        void turns.rest(sinceMs).then(this.resume);
        this.resume = undefined;
      } else if (this.hasTurn === true) {
        this.hasTurn = false;
        turns.end(sinceMs);
      }
      const ms = (unreportedMs.get(this.app) ?? 0) + nowMs() - sinceMs;
      unreportedMs.set(this.app, ms < shortMs ? ms : 0);
      if (ms >= shortMs) listener(this, stage, ms);
    },
  };
}
