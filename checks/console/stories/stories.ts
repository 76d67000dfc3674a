import { exactFigures } from './exact.ts';
import { monthByProject } from './finance.ts';
import { uploadInvoice } from './invoice.ts';
import { labels } from './labels.ts';
import { otherPort } from './other-port.ts';
import {
  invoiceMatches,
  leakingKey,
  monthHolds,
  refuse,
  spentMost,
  whyRejected,
} from './questions.ts';
import { rotateKey } from './rotation.ts';
import { typedInputStays } from './session.ts';
import { call, expect, newKey, type Person, statusAfter, type Visit } from './visit.ts';

/** A person's goal, starting from Today. Throws if it cannot be reached. */
export interface Story {
  readonly name: string;
  readonly person: Person;
  run(visit: Visit): Promise<void>;
}

/** The main stories of the console. */
export const stories: readonly Story[] = [
  {
    name: 'an operator raises a budget that refuses calls, two clicks from Today',
    person: { role: 'operator' },
    run: raiseBudget,
  },
  {
    name: 'finance gets a month by project as CSV and its most expensive call, in 4 clicks',
    person: { role: 'finance' },
    run: monthByProject,
  },
  {
    name: 'a team finds why a request failed with one paste, and sees no other app',
    person: { role: 'team', apps: ['reports'] },
    run: whyItFailed,
  },
  {
    name: 'a key is rotated and the old one disabled, without a failed call',
    person: { role: 'operator' },
    run: rotateKey,
  },
  {
    name: 'an invoice is uploaded, and what differs explained',
    person: { role: 'finance' },
    run: uploadInvoice,
  },
  {
    name: 'a program on another port cannot use the session, and ends none',
    person: { role: 'viewer' },
    run: otherPort,
  },
  {
    name: 'finance sees who spent most this week and on which calls, in 4 clicks',
    person: { role: 'finance' },
    run: spentMost,
  },
  {
    name: 'an operator sees why a call was rejected, in 4 clicks',
    person: { role: 'operator' },
    run: whyRejected,
  },
  {
    name: 'an operator finds the calls of a key that leaks, in 4 clicks',
    person: { role: 'operator' },
    run: leakingKey,
  },
  {
    name: 'finance sees whether the month will hold, in 4 clicks',
    person: { role: 'finance' },
    run: monthHolds,
  },
  {
    name: 'finance sees whether the invoice matches, in 4 clicks',
    person: { role: 'finance' },
    run: invoiceMatches,
  },
  {
    name: 'finance copies from Today, Spend and a receipt the digits of report --json',
    person: { role: 'finance' },
    run: exactFigures,
  },
  {
    name: 'a session ends while a dialog is open, and the typed input stays',
    person: { role: 'operator' },
    run: typedInputStays,
  },
];

async function raiseBudget({ house, page, hands }: Visit) {
  const app = hands.manner === 'mouse' ? 'small' : 'tiny';
  const key = await newKey(house, app);
  await refuse(house, app, key);
  await page.reload();
  await hands.press('button', labels.raiseBudget(app));
  await hands.write(labels.budgetField, '5');
  await hands.write(labels.reason, 'the new release');
  await page.getByText(labels.becomes).first().waitFor();
  await hands.press('button', labels.changeBudget);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(hands.presses() === 2, `it took ${hands.presses()} clicks`);
  const status = await statusAfter(429, house, app, { key });
  expect(status === 200, `the call is ${status} after the raise`);
}

async function whyItFailed({ house, page, hands }: Visit) {
  const { requestId } = await call(house, 'reports', { model: 'sim-rejects' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(requestId);
  const option = page.getByRole('listbox', { name: labels.find }).getByRole('option').first();
  await option.waitFor();
  if (hands.manner === 'mouse') await option.click();
  else await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: labels.headings.receipt }).first().waitFor();
  await page.getByText(labels.rejected).first().waitFor();
  await hands.press('link', labels.links.apps);
  await page.getByRole('link', { name: 'reports' }).first().waitFor();
  for (const other of ['search', 'support', 'assistant', 'tutor']) {
    const count = await page.getByRole('link', { name: other, exact: true }).count();
    expect(count === 0, `a team is not shown ${other}`);
  }
}
