import { expect, test } from 'vitest';
import type { Page } from '../../src/observe/admin-listener.ts';
import { sharedPage } from '../../src/observe/shared-page.ts';
import { createTestClock } from '../support/test-clock.ts';

const openMetrics = 'application/openmetrics-text';

test('all readers within a second get one page, in each format', async () => {
  const clock = createTestClock();
  const waiting: PromiseWithResolvers<Page>[] = [];
  const page = sharedPage(clock, () => {
    const made = Promise.withResolvers<Page>();
    waiting.push(made);
    return made.promise;
  });
  const first = [page(), page(), page('', 'text/plain')];
  // It takes longer than a second: nobody starts it again.
  await clock.advance(5_000);
  first.push(page());
  expect(waiting).toHaveLength(1);
  waiting[0]?.resolve({ status: 200, contentType: 'text/plain', text: 'one' });
  for (const each of first) expect((await each)?.text).toBe('one');
  await clock.advance(999);
  expect((await page()).text).toBe('one');
  void page('', openMetrics);
  expect(waiting).toHaveLength(2);
  await clock.advance(1);
  const second = page();
  expect(waiting).toHaveLength(3);
  waiting[2]?.reject(new Error('away'));
  await expect(second).rejects.toThrow('away');
  await clock.advance(1_000);
  void page();
  expect(waiting).toHaveLength(4);
});
