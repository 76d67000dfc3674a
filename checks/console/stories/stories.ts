import { parseUsd } from '../../../packages/server/src/lib/money.ts';
import { costReport } from '../../../packages/server/test/invoices/read.ts';
import type { House } from '../house.ts';
import { call, newKey, type Person, type Visit } from './place.ts';

/** What a person wants, from Today on. Throws where it cannot be had. */
export interface Story {
  readonly name: string;
  readonly person: Person;
  tell(visit: Visit): Promise<void>;
}

/** The stories that the console is for. */
export const stories: readonly Story[] = [
  {
    name: 'an operator raises a budget that refuses calls, two clicks from Today',
    person: { role: 'operator' },
    tell: raiseBudget,
  },
  {
    name: 'finance gets a month by project as CSV, and a receipt',
    person: { role: 'finance' },
    tell: monthByProject,
  },
  {
    name: 'a team finds why a request failed with one paste, and sees no other app',
    person: { role: 'team', apps: ['reports'] },
    tell: whyItFailed,
  },
  {
    name: 'a key is rotated while its caller goes on, without a failed call',
    person: { role: 'operator' },
    tell: rotateKey,
  },
  {
    name: 'an invoice is uploaded, and what differs explained',
    person: { role: 'finance' },
    tell: uploadInvoice,
  },
];

async function raiseBudget({ house, page, hands }: Visit) {
  const app = hands.manner === 'mouse' ? 'small' : 'tiny';
  const key = await newKey(house, app);
  expect((await call(house, app, { key })).status === 429, 'the budget refuses the call');
  await hands.press('button', `Raise of ${app}`);
  await hands.write('USD a day', '5');
  await hands.write('Reason', 'the new release');
  await page
    .getByText(/becomes/)
    .first()
    .waitFor();
  await hands.press('button', 'Change budget');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const deadline = Date.now() + 20_000;
  let { status } = await call(house, app, { key });
  while (status !== 200 && Date.now() < deadline) ({ status } = await call(house, app, { key }));
  expect(status === 200, `the call is ${status} after the raise`);
}

async function monthByProject({ page, hands, house }: Visit) {
  await hands.press('link', 'Spend');
  await page.getByRole('heading', { name: 'Spend' }).first().waitFor();
  await page.getByLabel('Split by').first().selectOption('project');
  await page
    .getByText(/Spending by project/)
    .first()
    .waitFor();
  const coming = page.waitForEvent('download');
  await hands.press('link', 'Export CSV');
  const file = await readText(await (await coming).path());
  const [summed, booked] = [sumOfCsv(file), await bookedThisMonth(house)];
  expect(booked > 0n && summed === booked, `the CSV has ${summed} pico-USD, the ledger ${booked}`);
  const { callId } = await call(house, 'support');
  await hands.press('link', 'Calls');
  await hands.press('link', new RegExp(callId ?? 'call_'));
  await page.getByRole('heading', { name: 'Receipt' }).first().waitFor();
  await page
    .getByText(/Why it cost/)
    .first()
    .waitFor();
}

/** What the rows of a file of spending cost together, in pico-USD. */
function sumOfCsv(file: string): bigint {
  const [heads = [], ...rows] = file
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const at = heads.indexOf('costUsd');
  return rows.reduce((sum, row) => sum + (parseUsd(row[at] ?? '') ?? 0n), 0n);
}

/** What the ledger has booked in the running month, in pico-USD. */
async function bookedThisMonth({ service }: House): Promise<bigint> {
  const sums = await service.store.read({
    sql: 'select cast(sum(cost) as text) as cost from usage_day where day >= $1',
    values: [`${new Date().toISOString().slice(0, 7)}-01`],
    map: (rows) => rows.map(({ cost }) => BigInt(String(cost))),
  });
  return sums[0] ?? 0n;
}

async function whyItFailed({ house, page, hands }: Visit) {
  const { requestId } = await call(house, 'reports', { model: 'sim-rejects' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(requestId);
  const found = page.getByRole('listbox', { name: 'Find' }).getByRole('option').first();
  await found.waitFor();
  if (hands.manner === 'mouse') await found.click();
  else await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Receipt' }).first().waitFor();
  await page.getByText('BAD_REQUEST').first().waitFor();
  await hands.press('link', 'Apps');
  await page.getByRole('link', { name: 'reports' }).first().waitFor();
  for (const other of ['search', 'support', 'assistant', 'tutor']) {
    const count = await page.getByRole('link', { name: other, exact: true }).count();
    expect(count === 0, `a team is not shown ${other}`);
  }
}

async function rotateKey(visit: Visit) {
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
  { page, hands }: Visit,
  key: string,
  caller: Pick<ReturnType<typeof callOn>, 'change'>,
) {
  const id = key.split('_')[1] ?? '';
  await hands.press('link', 'Keys');
  await page.getByText(id).first().waitFor();
  await hands.press('link', new RegExp(`Rotate.*${id}`));
  await hands.press('button', 'Issue the new key');
  await hands.write('Reason', 'a person has left');
  await hands.press('button', 'Issue the key');
  await page.getByText(/mgk_/).first().waitFor();
  const shown = await secretIn(page);
  expect(shown.startsWith('mgk_'), 'the next key is shown once');
  // Keys act within a second; who hands one over takes longer.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  caller.change(shown);
  await hands.press('button', 'I have stored it');
}

async function secretIn(page: Visit['page']): Promise<string> {
  const text = await page.getByRole('dialog').innerText();
  return /mgk_[\w-]+/.exec(text)?.[0] ?? '';
}

/** A caller that goes on with the key that it has. */
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
      // Some with the next key as well.
      const until = calls + 5;
      while (calls < until && failed === 0) await new Promise((resolve) => setTimeout(resolve, 20));
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
      // Within the plan of one key.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function uploadInvoice({ page, hands }: Visit) {
  await hands.press('link', 'Reconcile');
  await page.getByRole('heading', { name: 'Reconcile' }).first().waitFor();
  await hands.press('button', 'Upload invoice');
  await hands.write('Platform', 'sandbox');
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const ends = new Date(Date.parse(day) + 86_400_000).toISOString();
  const amount = hands.manner === 'mouse' ? '100' : '200';
  const bucket = { starting_at: `${day}T00:00:00Z`, ending_at: ends.replace('.000', '') };
  const { data } = JSON.parse(costReport({ amount }));
  const report = { data: [{ ...data[0], ...bucket }], has_more: false, next_page: null };
  const buffer = Buffer.from(JSON.stringify(report));
  const file = { name: 'costs.json', mimeType: 'application/json', buffer };
  await page.getByLabel('Files').first().setInputFiles(file);
  await hands.write('Reason', 'the invoice of the month');
  await hands.press('button', 'Import');
  await hands.press('button', 'Show the comparison');
  await page
    .getByText(/foreign · /)
    .first()
    .waitFor();
  const told = await page.getByRole('main').innerText();
  expect(told.includes('Invoice') && told.includes('difference'), 'the month is compared');
}

async function readText(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(path, 'utf8');
}

function expect(isTrue: boolean, what: string) {
  if (!isTrue) throw new Error(what);
}
