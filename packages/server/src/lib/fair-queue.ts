import { type Chain, createChain } from './chain.ts';

export interface FairQueue<Item> {
  has(app: string): boolean;
  count(): number;
  isWaiting(except: ReadonlySet<string>): boolean;
  /**
   * `ahead`: behind the last such item of its app, before all others. The returned function removes
   * it; false when it is not there.
   */
  add(app: string, item: Item, place?: 'ahead'): () => boolean;
  take(except?: ReadonlySet<string>): Item | undefined;
  /** Serves each app's first item in turn until `serve` refuses all; refused items keep waiting. */
  inTurns(serve: (item: Item) => boolean): void;
  clear(): readonly Item[];
}

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

  function served(app: string, chain: Chain<Waiting<Item>>, next: Waiting<Item>) {
    next.leave();
    if (turns.delete(app)) turns.set(app, chain);
  }
}

interface Waiting<Item> {
  readonly item: Item;
  leave(): boolean;
}
