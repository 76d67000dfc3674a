import { once } from 'node:events';
import { createServer } from 'node:http';
import { labels } from './labels.ts';
import { expect, type Visit } from './visit.ts';

/**
 * Another program of the machine gets the session's cookie and sets another of the same name.
 * Neither cookie helps it; the person stays logged in, in a new tab too.
 */
export async function otherPort({ house, page }: Visit): Promise<void> {
  const received: string[] = [];
  const program = createServer(({ headers }, response) => {
    const { cookie = '' } = headers;
    received.push(cookie);
    const [name = ''] = cookie.split('=', 1);
    response.setHeader('set-cookie', `${name}=planted; Path=/admin`);
    response.end('another program');
  }).listen(0, '127.0.0.1');
  await once(program, 'listening');
  try {
    const address = program.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    const tab = await page.context().newPage();
    await tab.goto(`http://127.0.0.1:${address.port}/`);
    const [cookie = ''] = received;
    expect(cookie.includes('mgs_'), 'the browser has not sent the cookie to another port');
    const response = await fetch(`${house.adminUrl}/admin/v1/session`, { headers: { cookie } });
    expect(response.status === 401, `the cookie of another port is answered ${response.status}`);
    await tab.goto(`${house.adminUrl}/console/`);
    await tab.getByRole('heading', { name: labels.headings.today }).first().waitFor();
    await tab.getByText(labels.live, { exact: true }).first().waitFor();
    await tab.close();
    await page.reload();
    await page.getByRole('heading', { name: 'Today' }).first().waitFor();
  } finally {
    program.close();
    program.closeAllConnections();
  }
}
