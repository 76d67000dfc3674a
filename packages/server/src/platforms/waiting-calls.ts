import { type Chain, createChain } from '../lib/chain.ts';

/** Calls that wait for something, of which each app has a turn after the other. */
export interface WaitingCalls<Call> {
  has(app: string): boolean;
  count(): number;
  /** At the end of its app's. The returned function takes it out, if it still waits. */
  add(app: string, call: Call): () => void;
  /**
   * Gives apps their turns until none of them can be served: the first call of each, which waits on
   * where `serve` is false.
   */
  inTurns(serve: (call: Call) => boolean): void;
  /** Takes all out. */
  clear(): readonly Call[];
}

/** None waits. */
export function createWaitingCalls<Call>(): WaitingCalls<Call> {
  // By app, in the order of their turns.
  const turns = new Map<string, Chain<Waiting<Call>>>();
  let count = 0;
  return {
    has: (app) => turns.has(app),
    count: () => count,
    add(app, call) {
      const chain = turns.get(app) ?? createChain();
      turns.set(app, chain);
      const waiting: Waiting<Call> = { call, leave };
      const remove = chain.add(waiting);
      let isIn = true;
      count += 1;
      return leave;

      function leave() {
        if (!isIn) return;
        isIn = false;
        count -= 1;
        remove();
        if (chain.count() === 0) turns.delete(app);
      }
    },
    inTurns(serve) {
      // An app that was served comes again at the end; one that was not stays where it is.
      for (const [app, chain] of turns) {
        const next = chain.first();
        if (next === undefined || !serve(next.call)) continue;
        next.leave();
        if (!turns.delete(app)) continue;
        turns.set(app, chain);
      }
    },
    clear() {
      const calls: Call[] = [];
      for (const chain of turns.values()) {
        for (let next = chain.first(); next !== undefined; next = chain.first()) {
          calls.push(next.call);
          next.leave();
        }
      }
      return calls;
    },
  };
}

interface Waiting<Call> {
  readonly call: Call;
  leave(): void;
}
