import { expect, test } from 'vitest';
import { createIds } from '../../src/lib/id.ts';
import type { JobResult, Jobs, ProgressReporter } from '../../src/operations/context/parts.ts';
import { createJobs } from '../../src/operations/reports/jobs.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

const dayMs = 86_400_000;
let clock: TestClock;

function open(): Jobs {
  clock = createTestClock();
  const wordsOf = (error: unknown) => (error instanceof RangeError ? error.message : undefined);
  return createJobs({ clock, ids: createIds(clock), wordsOf });
}

/** Work that runs until it is canceled. */
function held() {
  const work = Promise.withResolvers<JobResult>();
  let reportProgress: ProgressReporter = () => expect.fail('it has not begun');
  return {
    ...work,
    reportProgress: (text: string, percent: number) => reportProgress(text, percent),
    run(reporter: ProgressReporter) {
      reportProgress = reporter;
      return work.promise;
    },
  };
}

test('one runs, five wait in their order, and no more are accepted', async () => {
  const jobs = open();
  const works = Array.from({ length: 6 }, held);
  const started = works.map(({ run }) => jobs.start('ann', 'report', run));
  expect(started.map((job) => job?.state)).toEqual(['running', ...Array(5).fill('waiting')]);
  expect(started.map((job) => job?.position)).toEqual([null, 1, 2, 3, 4, 5]);
  expect(jobs.start('ann', 'report', held().run)).toBeUndefined();
  const ids = started.map((job) => job?.id ?? '');
  works[0]?.reportProgress('reads', 41.9);
  expect(jobs.find('ann', ids[0] ?? '')).toMatchObject({ percent: 41, text: 'reads' });
  works[0]?.resolve({ result: { rows: 1 }, file: { name: 'a.csv', text: 'a' } });
  await clock.settle();
  expect(jobs.find('ann', ids[0] ?? '')).toMatchObject({
    ...{ state: 'done', percent: 100, result: { rows: 1 }, fileName: 'a.csv', error: null },
  });
  expect(jobs.find('ann', ids[1] ?? '')).toMatchObject({ state: 'running', position: null });
  expect(jobs.find('ann', ids[5] ?? '')).toMatchObject({ state: 'waiting', position: 4 });
});

test('another owner’s job does not exist', async () => {
  const jobs = open();
  const job = jobs.start('ann', 'audit', async () => ({ file: { name: 'a', text: 'secret' } }));
  await clock.settle();
  const id = job?.id ?? '';
  expect(jobs.find('bob', id)).toBeUndefined();
  expect(jobs.fileOf('bob', id)).toBeUndefined();
  expect(jobs.end('bob', id)).toBe(false);
  expect(jobs.fileOf('ann', id)).toEqual({ name: 'a', text: 'secret' });
});

test('a failed job has its reason, a bug has none, and the next one runs', async () => {
  const jobs = open();
  const fails = jobs.start('ann', 'report', () => Promise.reject(new RangeError('too many days')));
  const breaks = jobs.start('ann', 'report', () => Promise.reject(new Error('at secret.ts:1')));
  const runs = jobs.start('ann', 'report', async () => ({}));
  await clock.settle();
  const errorOf = (id = '') => jobs.find('ann', id)?.error;
  expect(errorOf(fails?.id)).toBe('too many days');
  expect(errorOf(breaks?.id)).toBe('internal error');
  expect(jobs.find('ann', runs?.id ?? '')).toMatchObject({ state: 'done' });
});

test('a canceled job stops at its next message, and leaves nothing', async () => {
  const jobs = open();
  const work = held();
  const id = jobs.start('ann', 'report', work.run)?.id ?? '';
  expect(jobs.end('ann', id)).toBe(true);
  expect(() => work.reportProgress('goes on', 50)).toThrow('the job was ended');
  work.resolve({ file: { name: 'a', text: 'a' } });
  await clock.settle();
  expect(jobs.find('ann', id)).toBeUndefined();
});

test('results are stored for a day, fifty of them, and 64 MB', async () => {
  const jobs = open();
  const make = async (text: string) => {
    const job = jobs.start('ann', 'report', async () => ({ file: { name: 'a', text } }));
    await clock.settle();
    return job?.id ?? '';
  };
  const first = await make('a');
  for (let n = 0; n < 50; n++) await make('b');
  expect(jobs.find('ann', first)).toBeUndefined();
  const big = await make('c'.repeat(40 * 2 ** 20));
  const bigger = await make('d'.repeat(40 * 2 ** 20));
  expect(jobs.find('ann', big)).toBeUndefined();
  expect(jobs.find('ann', bigger)).toBeDefined();
  await clock.sleep(dayMs);
  expect(jobs.find('ann', bigger)).toBeUndefined();
});
