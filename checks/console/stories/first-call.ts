import { labels } from './labels.ts';
import { call, type Visit } from './visit.ts';

/** The first five minutes: a line to copy, a wait, and then the receipt of the first call. */
export async function firstCall({ house, page }: Visit): Promise<void> {
  const { waiting, command, arrived, addsUp } = labels.firstCall;
  await page.getByRole('heading', { name: waiting }).first().waitFor();
  const line = await page.getByRole('region', { name: command }).first().innerText();
  if (!line.startsWith('curl ')) throw new Error(`no line to copy: ${line}`);
  if (!line.includes(`${house.url}/v1/chat`)) throw new Error(`the line asks elsewhere: ${line}`);
  const { status } = await call(house, 'search');
  if (status !== 200) throw new Error(`the first call is answered ${status}`);
  await page.getByRole('heading', { name: arrived }).first().waitFor();
  await page.getByText(addsUp).first().waitFor();
}
