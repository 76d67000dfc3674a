/** In arrival order; each step is O(1). */
export interface Chain<Value> {
  first(): Value | undefined;
  count(): number;
  /**
   * `ahead`: after the last such value, before all others. The returned function removes it, once.
   */
  add(value: Value, position?: 'ahead'): () => void;
}

interface Link<Value> {
  readonly value: Value;
  before: Link<Value> | undefined;
  after: Link<Value> | undefined;
  isIn: boolean;
}

/** A Map or a Set has the same order, but passes removed entries to reach the first. */
export function createChain<Value>(): Chain<Value> {
  let first: Link<Value> | undefined;
  let last: Link<Value> | undefined;
  let lastAhead: Link<Value> | undefined;
  let count = 0;
  return {
    first: () => first?.value,
    count: () => count,
    add(value, position) {
      const before = position === 'ahead' ? lastAhead : last;
      const after = before === undefined ? first : before.after;
      const link: Link<Value> = { value, before, after, isIn: true };
      if (before === undefined) first = link;
      else before.after = link;
      if (after === undefined) last = link;
      else after.before = link;
      if (position === 'ahead') lastAhead = link;
      count += 1;
      return () => remove(link);
    },
  };

  function remove(link: Link<Value>) {
    if (!link.isIn) return;
    link.isIn = false;
    count -= 1;
    if (link === lastAhead) lastAhead = link.before;
    if (link.before === undefined) first = link.after;
    else link.before.after = link.after;
    if (link.after === undefined) last = link.before;
    else link.after.before = link.before;
  }
}
