import { type Chain, createChain } from './chain.ts';

/** What waits for something, by the app that it is for: apps have their turns one by one. */
export interface FairQueue<Item> {
  has(app: string): boolean;
  count(): number;
  /** Whether an app has any, those in `except` left out. */
  isWaiting(except: ReadonlySet<string>): boolean;
  /**
   * At the end of its app's items, or behind the last item that is `ahead`. The returned function
   * takes it out; false when it is not there.
   */
  add(app: string, item: Item, place?: 'ahead'): () => boolean;
  /** Takes out the next, of an app that is not in `except`. */
  take(except?: ReadonlySet<string>): Item | undefined;
  /**
   * Gives apps their turns until none of them can be served: the first item of each, which waits on
   * where `serve` is false.
   */
  inTurns(serve: (item: Item) => boolean): void;
  /** Takes all out. */
  clear(): readonly Item[];
}

/** Nothing waits. */
export function createFairQueue<Item>(): FairQueue<Item> {
  // By app, in the order of their turns; never an empty chain.
  const turns = new Map<string, Chain<Waiting<Item>>>();
  let count = 0;
  return {
    has: (app) => turns.has(app),
    count: () => count,
    isWaiting(except) {
      for (const app of turns.keys()) if (!except.has(app)) return true;
      return false;
    },
    add(app, item, place) {
      const chain = turns.get(app) ?? createChain();
      turns.set(app, chain);
      const waiting: Waiting<Item> = { item, leave };
      const remove = chain.add(waiting, place);
      let isIn = true;
      count += 1;
      return leave;

      function leave() {
        if (!isIn) return false;
        isIn = false;
        count -= 1;
        remove();
        if (chain.count() === 0) turns.delete(app);
        return true;
      }
    },
    take(except) {
      for (const [app, chain] of turns) {
        if (except?.has(app)) continue;
        const next = chain.first();
        if (next !== undefined) served(app, chain, next);
        return next?.item;
      }
      return undefined;
    },
    inTurns(serve) {
      // An app that is not served stays where it is.
      for (const [app, chain] of turns) {
        const next = chain.first();
        if (next !== undefined && serve(next.item)) served(app, chain, next);
      }
    },
    clear() {
      const items: Item[] = [];
      for (const chain of turns.values()) {
        for (let next = chain.first(); next !== undefined; next = chain.first()) {
          items.push(next.item);
          next.leave();
        }
      }
      return items;
    },
  };

  /** The app's next turn is after all others'. */
  function served(app: string, chain: Chain<Waiting<Item>>, next: Waiting<Item>) {
    next.leave();
    if (turns.delete(app)) turns.set(app, chain);
  }
}

interface Waiting<Item> {
  readonly item: Item;
  leave(): boolean;
}
