import { expect, test } from 'vitest';
import { freshMs } from '../../src/calls/runs/run-cache.ts';
import { createIds } from '../../src/lib/id.ts';
import { makeRunKey } from '../../src/registry/key-format.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectRunOfKey } from '../../src/store/queries/runs.ts';
import { chatOf } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { makeRun } from './run-stack.ts';

/** Reads of runs by their keys: all of them, and the most at once. */
const readings = { all: 0, now: 0, most: 0 };

function counting(store: Store): Store {
  const ofKey = selectRunOfKey('').sql;
  const read: Store['read'] = async (query) => {
    if (query.sql !== ofKey) return store.read(query);
    readings.all += 1;
    readings.now += 1;
    readings.most = Math.max(readings.most, readings.now);
    try {
      return await store.read(query);
    } finally {
      readings.now -= 1;
    }
  };
  return { ...store, read };
}

test(
  'made-up keys starve neither a run nor its app',
  onStack(
    async (stack) => {
      const { clock } = stack;
      const ids = createIds(clock);
      const { key } = await makeRun(stack, 'search');
      const call = async (apiKey: string) => {
        const answer = await stack.post('search', '/v1/chat', chatOf('sim-echo'), {
          headers: { 'x-api-key': apiKey },
        });
        return answer.status;
      };
      const own = await stack.key('search');
      // The cached run is old, so it is read again among them.
      await clock.advance(freshMs);
      const tried = Array.from({ length: 1_000 }, () => call(makeRunKey(ids)));
      const valid = Promise.all([call(key), call(own), call(key)]);
      expect(await clock.run(valid)).toEqual([200, 200, 200]);
      const told = await clock.run(Promise.all(tried));
      const count = (status: number) => told.filter((each) => each === status).length;
      expect([count(403), count(429)]).toEqual([64, 1_000 - 64]);
      expect(readings).toEqual({ all: 65, now: 0, most: 65 });
      // A key with a wrong checksum is not looked up.
      const mistyped = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
      expect(await clock.run(call(mistyped))).toBe(403);
      expect(readings.all).toBe(65);
    },
    { wrapStore: counting },
  ),
);
