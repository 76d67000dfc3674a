import { type Chain, createChain } from './chain.ts';

export interface FairQueue<Item> {
  has(app: string): boolean;
  count(): number;
  isWaiting(except: ReadonlySet<string>): boolean;
  /**
   * `ahead`: after the last such item of its app, before all others. The returned function removes
   * it; false if it is absent.
   */
  add(app: string, item: Item, position?: 'ahead'): () => boolean;
  take(except?: ReadonlySet<string>): Item | undefined;
  /**
   * Serves each app's first item in turn until `serve` rejects all; rejected items keep waiting.
   */
  serveRoundRobin(serve: (item: Item) => boolean): void;
  clear(): readonly Item[];
}

export function createFairQueue<Item>(): FairQueue<Item> {
  // By app, in the order of their turns; never contains an empty chain.
  const queues = new Map<string, Chain<WaitingItem<Item>>>();
  let count = 0;
  return {
    has: (app) => queues.has(app),
    count: () => count,
    isWaiting(except) {
      for (const app of queues.keys()) if (!except.has(app)) return true;
      return false;
    },
    add(app, item, position) {
      const chain = queues.get(app) ?? createChain();
      queues.set(app, chain);
      const waiting: WaitingItem<Item> = { item, leave };
      const remove = chain.add(waiting, position);
      let isIn = true;
      count += 1;
      return leave;

      function leave() {
        if (!isIn) return false;
        isIn = false;
        count -= 1;
        remove();
        if (chain.count() === 0) queues.delete(app);
        return true;
      }
    },
    take(except) {
      for (const [app, chain] of queues) {
        if (except?.has(app)) continue;
        const next = chain.first();
        if (next !== undefined) moveToEnd(app, chain, next);
        return next?.item;
      }
      return undefined;
    },
    serveRoundRobin(serve) {
      // An app without service keeps its position.
      for (const [app, chain] of queues) {
        const next = chain.first();
        if (next !== undefined && serve(next.item)) moveToEnd(app, chain, next);
      }
    },
    clear() {
      const items: Item[] = [];
      for (const chain of queues.values()) {
        for (let next = chain.first(); next !== undefined; next = chain.first()) {
          items.push(next.item);
          next.leave();
        }
      }
      return items;
    },
  };

  function moveToEnd(app: string, chain: Chain<WaitingItem<Item>>, next: WaitingItem<Item>) {
    next.leave();
    if (queues.delete(app)) queues.set(app, chain);
  }
}

interface WaitingItem<Item> {
  readonly item: Item;
  leave(): boolean;
}
