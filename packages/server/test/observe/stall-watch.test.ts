import { expect, test } from 'vitest';
import type { WorkOwner } from '../../src/lib/work.ts';
import { createStallWatch } from '../../src/observe/stall-watch.ts';

/** A watch over a loop that a test can block. */
function openWatch() {
  let nowMs = 0;
  let due: (() => void) | undefined;
  const lines: (readonly [object, string])[] = [];
  const watch = createStallWatch({
    processor: {
      nowMs: () => nowMs,
      after(_waitMs, run) {
        due = run;
      },
    },
    log: { warn: (fields, message) => void lines.push([fields, message]) },
  });
  watch.start();
  /** The next check comes this many milliseconds after the last. */
  const look = (afterMs: number) => {
    nowMs += afterMs;
    due?.();
  };
  return { watch, look, lines };
}

const owner: WorkOwner = { app: 'search', keyId: 'AbC', route: 'chat' };
const message = 'event loop stalled';

test('a stall is logged with the work that caused the largest part of it', () => {
  const { watch, look, lines } = openWatch();
  watch.record(owner, 'request', 20);
  watch.record(owner, 'body', 300);
  look(370);
  const fields = { stalledMs: 320, stage: 'body', app: 'search', keyId: 'AbC', route: 'chat' };
  expect(lines).toEqual([[fields, message]]);
  expect(watch.counts().get('body')).toEqual({ count: 1, ms: 320 });
});

test('a stall that no measured work explains has no stage and no app', () => {
  const { watch, look, lines } = openWatch();
  watch.record(owner, 'body', 30);
  look(1_050);
  const nobody = { route: undefined, keyId: undefined, app: undefined };
  expect(lines).toEqual([[{ stalledMs: 1_000, stage: 'other', ...nobody }, message]]);
});

test('short work does not count as a stall, and each check starts again', () => {
  const { watch, look, lines } = openWatch();
  watch.record(owner, 'body', 150);
  look(240);
  watch.record(owner, 'body', 150);
  look(240);
  expect(lines).toEqual([]);
});
