import { expect } from 'vitest';
import { type Documents, openPage } from './page.ts';
import { waitFor } from './wait-for.ts';

const inWords = (status: number, code: string, message: string) => {
  return { message, answer: { status, body: { error: { code, message } } } };
};

/** The ways in which a document can be missing, with the page's reasons. */
export const failures = [
  { name: 'is rejected', ...inWords(403, 'FORBIDDEN', 'Your role does not allow this') },
  { name: 'fails', ...inWords(500, 'INTERNAL', 'The gateway has failed; its log has more') },
  {
    ...{ name: 'is answered by a proxy', answer: { status: 502, body: '<html>' } },
    message: 'The gateway responded with 502 and gave no reason.',
  },
  {
    ...{ name: 'is not answered', answer: undefined },
    message:
      'The gateway is not responding. Check that it runs and is reachable from this machine.',
  },
];

/** Opens a page with missing documents, reads the reason, and tries again with success. */
export async function expectRecovery(
  address: string,
  documents: Documents,
  failure: (typeof failures)[number],
) {
  const page = openPage(address, documents, { failure });
  const reason = `${failure.message} Try again`;
  await waitFor(() => expect(page.alerts()).toContain(reason));
  expect(new Set(page.alerts())).toEqual(new Set([reason]));
  expect(page.link('Today')).toBe('/console/');
  page.recover();
  while (page.has('Try again')) {
    // Another alert may replace it, for a part that was hidden until then.
    const alert = document.querySelector('[role=alert]');
    await page.click('Try again');
    await waitFor(() => expect(alert?.isConnected).toBe(false));
  }
  expect(page.alerts()).toEqual([]);
  return page;
}
