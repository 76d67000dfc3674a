import { until } from '../../../harness/until.ts';
import type { House } from '../house.ts';
import { labels } from './labels.ts';
import { call, expect, newKey, type Visit } from './visit.ts';

/** The maximum number of clicks that answer a question. */
const clicksMax = 4;

/** Who spent most this week, and on which calls. */
export async function spentMost({ house, page, hands }: Visit): Promise<void> {
  await hands.press('link', labels.links.spend);
  await hands.press('button', labels.week);
  const most = await mostSpent(house);
  const first = page.getByRole('row').getByRole('link').first();
  await page
    .getByRole('row', { name: new RegExp(most) })
    .first()
    .waitFor();
  const shown = await first.innerText();
  expect(shown.includes(most), `the first row shows ${shown} instead of ${most}`);
  await hands.press('link', new RegExp(most));
  // The app's models come first, and then the calls of one.
  await page
    .getByRole('heading', { name: labels.spendBy('model') })
    .first()
    .waitFor();
  await hands.pressFirst('row', 'link');
  const calls = page.getByRole('heading', { name: labels.headings.calls });
  await calls.first().waitFor();
  expect(page.url().includes(`app=${most}`), `the calls are not of ${most}: ${page.url()}`);
  await page
    .getByRole('row', { name: new RegExp(most) })
    .first()
    .waitFor();
  few(hands.presses());
}

/** Why a call was rejected: the sentence that its caller has received. */
export async function whyRejected({ house, page, hands }: Visit): Promise<void> {
  const message = await refuse(house, 'strict');
  await hands.press('link', /^strict\b/);
  await page.getByText(message.slice(0, 60)).first().waitFor();
  few(hands.presses());
}

/** Which key leaks: a key that is in use, and the calls that it makes. */
export async function leakingKey({ house, page, hands }: Visit): Promise<void> {
  const key = await newKey(house, 'support');
  const id = key.split('_')[1] ?? '';
  for (let made = 0; made < 3; made++) await call(house, 'support', { key });
  await hands.press('link', labels.links.keys);
  await page.getByText(id).first().waitFor();
  await hands.press('button', labels.keyActions(id));
  await hands.press('link', labels.showCalls);
  await page.getByRole('heading', { name: labels.headings.calls }).first().waitFor();
  expect(page.url().includes(id), `the calls are not of the key: ${page.url()}`);
  await page
    .getByRole('row', { name: /support/ })
    .nth(2)
    .waitFor();
  few(hands.presses());
}

/** The month's forecast: its end, and the budget that it reaches before. */
export async function monthHolds({ page, hands }: Visit): Promise<void> {
  await hands.press('link', labels.links.spend);
  await hands.press('button', labels.month);
  const main = page.getByRole('main');
  for (const words of [labels.forecast, labels.monthVerdict])
    await main.getByText(words).first().waitFor();
  few(hands.presses());
}

/** Whether the invoice matches: its amount, the amount in the ledger, and the difference. */
export async function invoiceMatches({ page, hands }: Visit): Promise<void> {
  await hands.press('link', labels.reconcile);
  const main = page.getByRole('main');
  await main.getByRole('table').first().waitFor();
  for (const words of labels.invoice) await main.getByText(words).first().waitFor();
  few(hands.presses());
}

function few(clicks: number) {
  expect(clicks <= clicksMax, `it took ${clicks} clicks`);
}

/** Makes a call that must be rejected; returns the sentence when the console can show it. */
export async function refuse(house: House, app: string, key?: string): Promise<string> {
  const before = await refusals(house, app);
  const { status, message } = await call(house, app, key === undefined ? {} : { key });
  expect(status === 429 && message !== '', `the call is answered ${status}`);
  // Rejections are written together, some time after their calls.
  await until(async () => (await refusals(house, app)) > before);
  return message;
}

async function refusals({ service }: House, app: string): Promise<number> {
  const counts = await service.store.read({
    sql: 'select cast(sum(refused) as bigint) as count from refusal_hour where app = $1',
    values: [app],
    map: (rows) => rows.map(({ count }) => Number(count)),
  });
  return counts[0] ?? 0;
}

/** The app with the highest cost of the last seven days. */
async function mostSpent({ service }: House): Promise<string> {
  const weekMs = 6 * 86_400_000;
  const apps = await service.store.read({
    sql: `
      select app, sum(cost) as cost
        from usage_day
       where day >= $1
       group by app
       order by cost desc`,
    values: [new Date(Date.now() - weekMs).toISOString().slice(0, 10)],
    map: (rows) => rows.map(({ app }) => String(app)),
  });
  return apps[0] ?? '';
}
