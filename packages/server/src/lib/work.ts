/** Times what requests cost the thread that answers them, from one wait to the next. */
export interface Work {
  /** Milliseconds that never go back. */
  nowMs(): number;
  /**
   * Waits for the turn of the request's app to do a large piece of work. It must begin at once, and
   * `note` ends the turn: no other large piece begins before. A request that asks again before that
   * keeps its turn: it goes on after a rest, which begins at `note`.
   */
  turn(this: RequestWork): Promise<void>;
  /** A piece of the request's work that began then has ended, whatever came of it. */
  note(this: RequestWork, stage: WorkStage, sinceMs: number): void;
}

/** The work on one request, whose owner it names. */
export interface RequestWork extends Work, WorkOwner {
  /** Set while it has the turn. */
  hasTurn?: boolean;
  /** Set while it wants to go on in its turn. */
  goOn?: (() => void) | undefined;
  /** Set once some of its work was done: it is finished before other requests of its app begin. */
  hasBegun?: boolean;
}

/** Work on more bytes, or values, is a large piece. */
export const largeBytes = 16_384;

/** Does a large piece of work of a request, in the turn of its app. */
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

/** Who may do a large piece of work. */
export interface Turns {
  /** Resolves when it is the app's turn; `end` must follow. */
  next(app: string, place?: 'ahead'): Promise<void>;
  /** The work that began then goes on in its turn, once others have had the loop. */
  rest(startedMs: number): Promise<void>;
  /** The work that began then waits for something, or is done: the turn is over. */
  end(startedMs: number): void;
}

/**
 * Where time went: reading, checking and admitting a body; writing the request of a platform;
 * reading its response; writing the answer.
 */
export type WorkStage = (typeof workStages)[number];

/** All of them. */
export const workStages = ['body', 'request', 'response', 'answer'] as const;

/** Whose request it was. */
export interface WorkOwner {
  readonly app: string;
  readonly keyId: string;
  readonly route: string;
}

/** Hears of work on a request: of long pieces at once, of short ones together. */
export type WorkListener = (owner: WorkOwner, stage: WorkStage, tookMs: number) => void;

/** Shorter pieces of an app are added up, since most requests have no longer ones. */
const shortMs = 50;

/** No work was done yet; `nowMs` is the time of this thread. */
export function createWork(nowMs: () => number, turns: Turns, listener: WorkListener): Work {
  /** Of each app, what was not told yet. */
  const untoldMs = new Map<string, number>();
  return {
    nowMs,
    async turn() {
      if (this.hasTurn === true) {
        return new Promise((resolve) => {
          this.goOn = resolve;
        });
      }
      await turns.next(this.app, this.hasBegun === true ? 'ahead' : undefined);
      this.hasTurn = true;
    },
    note(stage, sinceMs) {
      this.hasBegun = true;
      if (this.goOn !== undefined) {
        void turns.rest(sinceMs).then(this.goOn);
        this.goOn = undefined;
      } else if (this.hasTurn === true) {
        this.hasTurn = false;
        turns.end(sinceMs);
      }
      const ms = (untoldMs.get(this.app) ?? 0) + nowMs() - sinceMs;
      untoldMs.set(this.app, ms < shortMs ? ms : 0);
      if (ms >= shortMs) listener(this, stage, ms);
    },
  };
}
