import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitingBytesMax } from '../../src/lib/line-queue.ts';
import { createLineWriter } from '../../src/lib/line-writer.ts';
import { createTestClock } from '../support/test-clock.ts';

/** A destination that accepts as many bytes as the test allows, or fails. */
function openDestination() {
  let text = '';
  let attempts = 0;
  let writing: Promise<void> | undefined;
  const clock = createTestClock({ pending: () => writing });
  const state: { failure: string | undefined; capacity: number } = {
    failure: undefined,
    capacity: Number.POSITIVE_INFINITY,
  };
  const take = (bytes: Buffer) => {
    attempts += 1;
    const code = state.capacity > 0 ? undefined : state.failure;
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    const taken = bytes.subarray(0, Math.min(bytes.length, state.capacity));
    state.capacity -= taken.length;
    text += taken.toString('utf8');
    return taken.length;
  };
  const writer = createLineWriter({
    clock,
    gatherMs: 200,
    lossLine: (linesLost) => `lost ${linesLost}\n`,
    writeNow: take,
    write(bytes, done) {
      writing = setImmediate().then(() => {
        writing = undefined;
        try {
          done(null, take(bytes));
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)), 0);
        }
      });
    },
  });
  return {
    ...{ clock, writer },
    text: () => text,
    attempts: () => attempts,
    /** From now on it fails, after this many more bytes. */
    fail(code: string, capacity = 0) {
      state.failure = code;
      state.capacity = capacity;
    },
    mend() {
      state.capacity = Number.POSITIVE_INFINITY;
    },
  };
}

const failures = ['ENOSPC', 'EDQUOT', 'EIO', 'EPIPE', 'EBADF', 'EFBIG'];

test.each(failures)('%s drops lines, and one line reports how many', async (code) => {
  const { clock, writer, text, attempts, fail, mend } = openDestination();
  writer.write('first\n');
  await clock.advance(200);
  fail(code);
  writer.write('second\n');
  writer.write('third\n');
  await clock.advance(200);
  expect(writer.linesLost()).toBe(2);
  expect(attempts()).toBe(2);
  writer.write('fourth\n');
  await clock.advance(999);
  expect(attempts()).toBe(2);
  await clock.advance(1);
  expect(attempts()).toBe(3);
  expect(writer.linesLost()).toBe(3);
  mend();
  writer.write('fifth\n');
  await clock.advance(1_000);
  writer.write('sixth\n');
  await clock.advance(200);
  expect(text()).toBe('first\nlost 3\nfifth\nsixth\n');
  expect(writer.linesLost()).toBe(3);
});

test('it is tried again each second where nothing is logged', async () => {
  const { clock, writer, text, attempts, fail, mend } = openDestination();
  fail('ENOSPC');
  writer.write('first\n');
  await clock.advance(200);
  await clock.advance(10_000);
  expect(attempts()).toBe(11);
  mend();
  await clock.advance(1_000);
  expect(text()).toBe('lost 1\n');
  await clock.advance(10_000);
  expect(attempts()).toBe(12);
});

test('a truncated line counts as lost, and spoils no other one', async () => {
  const { clock, writer, text, fail, mend } = openDestination();
  fail('ENOSPC', 'first\nsec'.length);
  writer.write('first\n');
  writer.write('second\n');
  await clock.advance(200);
  expect(writer.linesLost()).toBe(1);
  fail('ENOSPC', '\nlo'.length);
  await clock.advance(1_000);
  mend();
  await clock.advance(1_000);
  expect(text()).toBe('first\nsec\nlo\nlost 1\n');
  expect(writer.linesLost()).toBe(1);
});

test('a slow reader loses nothing within the limit', async () => {
  const { clock, writer, text, fail, mend } = openDestination();
  fail('EAGAIN', 'fir'.length);
  writer.write('first\n');
  await clock.advance(5_000);
  writer.write('second\n');
  await clock.advance(5_000);
  expect(text()).toBe('fir');
  mend();
  await clock.advance(1_200);
  expect(text()).toBe('first\nsecond\n');
  expect(writer.linesLost()).toBe(0);
});

test('lines beyond the limit are dropped until the rest is read', async () => {
  const { clock, writer, text, fail, mend } = openDestination();
  const line = `${'x'.repeat(999)}\n`;
  const fitting = Math.floor(waitingBytesMax / line.length);
  fail('EAGAIN');
  writer.write('first\n');
  await clock.advance(200);
  for (let lines = 0; lines < fitting + 10; lines++) writer.write(line);
  writer.write('short\n');
  expect(writer.linesLost()).toBe(11);
  await clock.advance(5_000);
  mend();
  await clock.advance(1_000);
  writer.write('last\n');
  await clock.advance(200);
  expect(text().split(line.repeat(fitting))).toEqual(['first\n', 'lost 11\nlast\n']);
});

test('only a line above the limit is dropped', async () => {
  const { clock, writer, text } = openDestination();
  writer.write(`${'x'.repeat(waitingBytesMax)}\n`);
  await clock.advance(200);
  writer.write('next\n');
  await clock.advance(200);
  expect(text()).toBe('lost 1\nnext\n');
});

test('at the end there is one attempt', async () => {
  const { clock, writer, text, attempts, fail, mend } = openDestination();
  writer.write('first\n');
  writer.end();
  expect(text()).toBe('first\n');
  for (const code of [...failures, 'EAGAIN']) {
    mend();
    await clock.advance(1_000);
    writer.write('next\n');
    const before = attempts();
    fail(code);
    writer.end();
    expect(attempts()).toBe(before + 1);
  }
});

test('at the end a loss is reported if possible', async () => {
  const { clock, writer, text, fail, mend } = openDestination();
  fail('ENOSPC');
  writer.write('first\n');
  await clock.advance(200);
  writer.write('second\n');
  mend();
  writer.end();
  expect(text()).toBe('lost 1\nsecond\n');
});
