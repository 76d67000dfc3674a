import { call, type Visit } from './place.ts';

/** The first five minutes: a line to copy, a wait, and then the receipt of the call that comes. */
export async function firstCall({ house, page }: Visit): Promise<void> {
  await page.getByText('Waiting for the first call…').first().waitFor();
  const line = await page.locator('.first-call code').first().innerText();
  if (!line.startsWith('curl ')) throw new Error(`no line to copy: ${line}`);
  if (!line.includes(`${house.url}/v1/chat`)) throw new Error(`the line asks elsewhere: ${line}`);
  const { status } = await call(house, 'search');
  if (status !== 200) throw new Error(`the first call is answered ${status}`);
  await page.getByText('It came. This is its receipt.').first().waitFor();
  await page.getByText('Tokens × price, recomputed now, are what was booked.').first().waitFor();
}
