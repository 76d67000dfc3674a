import { makeLoginCode } from '../../../packages/server/src/operations/access/console-sessions.ts';
import { labels } from './labels.ts';
import { expect, type Visit } from './visit.ts';

const typed = 'typed before the session ended';

/** A session ends while a dialog is open: after the next login, the typed input is still there. */
export async function typedInputStays({ house, page, hands }: Visit): Promise<void> {
  await page.goto(`${house.adminUrl}/console/apps/reports`);
  await hands.press('button', labels.changeBudgetOf);
  await hands.write(labels.budgetField, '91');
  await hands.write(labels.reason, typed);
  await page.getByText(labels.becomes).first().waitFor();
  await page.context().clearCookies();
  // The reason has the focus: it sends the form.
  await page.keyboard.press('Enter');
  const { admin } = house.service;
  const code = await makeLoginCode(admin, {
    // Another person must not see this person's input.
    name: `operator-${hands.manner}@acme`,
    role: 'operator',
    apps: undefined,
  });
  await hands.write(labels.code, code);
  await hands.press('button', labels.logIn);
  await page.getByLabel(labels.code).first().waitFor({ state: 'detached' });
  const dialog = page.getByRole('dialog');
  await until(page, dialog);
  const reason = await dialog.getByLabel(labels.reason).inputValue();
  const amount = await dialog.getByLabel(labels.budgetField).inputValue();
  expect(reason === typed && amount === '91', `the dialog has "${reason}" and "${amount}"`);
}

/** Reports a page that lost its dialog at once, instead of waiting for the time limit. */
async function until(page: Visit['page'], dialog: ReturnType<Visit['page']['getByRole']>) {
  await page.getByRole('main').first().waitFor();
  await page
    .getByRole('heading', { name: /reports/ })
    .first()
    .waitFor();
  expect((await dialog.count()) === 1, 'the dialog is gone, and all that was typed');
}
