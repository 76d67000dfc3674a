/** Times what requests cost the thread that answers them, from one wait to the next. */
export interface Work {
  /** Milliseconds that never go back. */
  nowMs(): number;
  /** A piece of the request's work that began then has ended, whatever came of it. */
  note(this: RequestWork, stage: WorkStage, sinceMs: number): void;
}

/** The work on one request, whose owner it names. */
export interface RequestWork extends Work, WorkOwner {}

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
export function createWork(nowMs: () => number, listener: WorkListener): Work {
  /** Of each app, what was not told yet. */
  const untoldMs = new Map<string, number>();
  return {
    nowMs,
    note(stage, sinceMs) {
      const ms = (untoldMs.get(this.app) ?? 0) + nowMs() - sinceMs;
      untoldMs.set(this.app, ms < shortMs ? ms : 0);
      if (ms >= shortMs) listener(this, stage, ms);
    },
  };
}
