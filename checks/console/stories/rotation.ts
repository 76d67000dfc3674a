import { setTimeout } from 'node:timers/promises';
import { until } from '../../../harness/until.ts';
import type { House } from '../house.ts';
import { labels } from './labels.ts';
import { betweenCallsMs, call, expect, newKey, statusAfter, type Visit } from './visit.ts';

/** A key is replaced by the next one while its caller continues, and then disabled. */
export async function rotateKey(visit: Visit): Promise<void> {
  const key = await newKey(visit.house, 'support');
  const caller = callOn(visit.house, key);
  try {
    await rotate(visit, key, caller);
  } finally {
    const { calls, failed } = await caller.end();
    expect(calls > 0 && failed === 0, `${failed} of ${calls} calls failed`);
  }
}

async function rotate(
  { house, page, hands }: Visit,
  key: string,
  caller: Pick<ReturnType<typeof callOn>, 'change'>,
) {
  const id = key.split('_')[1] ?? '';
  await hands.press('link', labels.links.keys);
  await page.getByText(id).first().waitFor();
  await hands.press('button', labels.keyActions(id));
  await hands.press('link', labels.rotate);
  await hands.press('button', labels.issueNewKey);
  await hands.write(labels.reason, 'a person has left');
  await hands.press('button', labels.issueKey);
  await page.getByText(/mgk_/).first().waitFor();
  const shown = await secretIn(page);
  expect(shown.startsWith('mgk_'), 'the next key is shown once');
  // Keys act within a second; a person takes longer to replace one.
  await setTimeout(1_000);
  caller.change(shown);
  await hands.press('button', labels.stored);
  await hands.press('button', labels.disableOldKey);
  // It was used within the hour: the dialog requires the app's name.
  await hands.write(labels.reason, 'the new one is in use');
  await hands.write(labels.confirm('support'), 'support');
  await hands.press('button', labels.disableKey);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const status = await statusAfter(200, house, 'support', { key });
  expect(status === 403, `the old key is answered ${status}`);
}

async function secretIn(page: Visit['page']): Promise<string> {
  const text = await page.getByRole('dialog').innerText();
  return /mgk_[\w-]+/.exec(text)?.[0] ?? '';
}

/** A caller that continues with its key. */
function callOn(house: House, first: string) {
  let key = first;
  let isOver = false;
  let calls = 0;
  let failed = 0;
  const going = go();
  return {
    change(next: string) {
      key = next;
    },
    async end() {
      // Some with the next key too.
      const enough = calls + 5;
      await until(() => calls >= enough || failed > 0);
      isOver = true;
      await going;
      return { calls, failed };
    },
  };

  async function go() {
    while (!isOver) {
      const { status } = await call(house, 'support', { key });
      calls += 1;
      if (status !== 200) failed += 1;
      await setTimeout(betweenCallsMs);
    }
  }
}
